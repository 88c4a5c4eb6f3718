/* The bare loop that everything is compared with: spawn a program, wait for its end, again.
   Usage: spawn THREADS SECONDS PROGRAM; prints how many ended each second. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double seconds_max;
static char *program;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void *loop(void *count) {
  char *arguments[] = {program, NULL};
  double end = now() + seconds_max;
  while (now() < end) {
    pid_t pid;
    int status;
    if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) != 0) {
      abort();
    }
    if (waitpid(pid, &status, 0) != pid || status != 0) {
      abort();
    }
    (*(long *)count)++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    return 2;
  }
  int threads = atoi(argv[1]);
  seconds_max = atof(argv[2]);
  program = argv[3];
  pthread_t ids[64];
  long counts[64] = {0};
  double begin = now();
  for (int i = 0; i < threads; i++) {
    pthread_create(&ids[i], NULL, loop, &counts[i]);
  }
  long sum = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    sum += counts[i];
  }
  printf("%.1f\n", sum / (now() - begin));
  return 0;
}
