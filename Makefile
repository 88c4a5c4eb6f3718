# Every target finds a JDK 25 by itself: the default `java` of the machine may be older.

MAVEN := dist/src/build/maven
# One test class or pattern, for `make test T=LayoutTest`.
T ?=

# Benches by name, for `make bench B=spawn`; all where none is named.
B ?=
BENCH := java --enable-native-access=ALL-UNNAMED -Derrand.root=. -cp 'bench/target/classes:bench/target/lib/*' dev.errand.bench.Main

.DEFAULT_GOAL := help
.PHONY: help build test check check-tools fix run torture soak bench bench-build bench-peers

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

build: ## compile with all checks and assemble target/dist
	@$(MAVEN) -DskipTests -pl dist -am package

test: ## run all tests, or those named by T=NameTest
	@$(MAVEN) $(if $(T),-Dtest='$(T)' -Dsurefire.failIfNoSpecifiedTests=false) verify

# On a machine that is busy with other work: `make check BUSY=1` skips what needs the machine to itself, by name.
BUSY ?=
# All that CI runs. What needs another tool than Maven becomes a target of its own and a
# prerequisite here.
check: check-tools ## check the format, compile with all checks, run all tests
	@$(MAVEN) -Derrand.train=true -Derrand.busy=$(if $(BUSY),true,false) spotless:check verify
	@$(if $(BUSY),dist/src/build/skipped,true)

# Programs that tests drive, or give recordings to. A test whose program is missing is skipped, and names it.
TOOLS := vim less top asciinema faketime zsh fish
check-tools: ## install the programs that tests drive, when root
	@missing=; for it in $(TOOLS); do command -v $$it >/dev/null || missing="$$missing $$it"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get install -y -q $$(echo $$missing | sed 's/\btop\b/procps/') >/dev/null || echo "not installed:$$missing"; fi

# The seed decides what is done and broken. The history lies in e2e/target/torture.
SEED ?= 1
ROUNDS ?= 100
torture: ## kill, stop and race for long: SEED=n ROUNDS=m
	@$(MAVEN) -pl e2e -am -Dtest='TortureTest,StormsTest,StandstillTest,DaemonAwayTest,RacesTest,LastByteTest,WatchTest' -Dsurefire.failIfNoSpecifiedTests=false \
	  -Derrand.test.args='-Derrand.long=true -Derrand.torture.seed=$(SEED) -Derrand.torture.rounds=$(ROUNDS) -Derrand.storm_times=10 -Derrand.flood_secs=600 -Derrand.last_byte_mib=1024 -Derrand.last_byte_times=100 -Derrand.standstill_secs=60 -Derrand.away_secs=20 -Derrand.watch_mib=100 -Derrand.input_mib=100' \
	  verify

MINUTES ?= 30
soak: ## mixed load with kills, then the model check and a look for leaks: SEED=n MINUTES=m
	@$(MAVEN) -pl e2e -am -Dtest='SoakTest' -Dsurefire.failIfNoSpecifiedTests=false -Derrand.train=true \
	  -Derrand.test.args='-Derrand.long=true -Derrand.soak.seed=$(SEED) -Derrand.soak.secs='$$(($(MINUTES) * 60)) verify
	@grep -h '^soak: ' target/build.log; tail -n 2 e2e/target/soak/vitals-$(SEED).tsv

fix: ## put the sources into their format
	@$(MAVEN) spotless:apply

run: ## run the daemon in the foreground
	@./errand serve

bench: bench-build ## measure, all or those named by B=spawn; see docs/performance.md
	@PATH="$$(dist/src/main/sh/find-java)/bin:$$PATH" $(BENCH) $(B)

bench-peers: bench-build ## measure task-spooler, nq and tmux beside errand; installs them when root
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get install -y -q task-spooler nq tmux >/dev/null; fi
	@PATH="$$(dist/src/main/sh/find-java)/bin:$$PATH" $(BENCH) peers

bench-build:
	@$(MAVEN) -DskipTests -pl bench -am package
	@[ target/dist/aot -nt target/dist/.digest ] || dist/src/build/train target/dist
