package dev.errand.daemon.surface.http;

import dev.errand.daemon.config.ConfigJson;
import dev.errand.daemon.verb.Admin;
import dev.errand.daemon.verb.CleanUp;
import dev.errand.daemon.verb.EndProcess;
import dev.errand.daemon.verb.ReloadConfig;
import dev.errand.daemon.verb.ShowConfig;
import dev.errand.daemon.verb.ShowProcesses;
import dev.errand.daemon.verb.StopDaemon;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/** The owner's operations on the daemon as a whole. */
final class AdminRoutes {
  private final Verbs.OfDaemon verbs;

  AdminRoutes(Verbs.OfDaemon verbs) {
    this.verbs = verbs;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.stop(), "POST", "/admin/shutdown", this::shutdown)
            .about("Stops the daemon and, if requested, its tasks.")
            .takes("Shutdown")
            .gives(202, "Stopping"),
        Route.of(verbs.cleanUp(), "POST", "/admin/gc", this::gc)
            .about("Cleans up now.")
            .gives(200, "Cleaned"),
        Route.of(verbs.config(), "GET", "/admin/config", this::config)
            .about("The settings, and where each value comes from.")
            .gives(200, "Settings"),
        Route.of(verbs.reload(), "POST", "/admin/reload", this::reload)
            .about("Reads the settings again.")
            .gives(200, "Reloaded"),
        Route.of(verbs.processes(), "GET", "/admin/processes", this::processes)
            .about("The processes of tasks that outlive them.")
            .gives(200, "Processes"),
        Route.of(verbs.endProcess(), "POST", "/admin/processes/end", this::endProcess)
            .about("Ends such a process, with all that it started.")
            .takes("ProcessToEnd")
            .gives(200, "ProcessEnded"));
  }

  private Reply shutdown(Call call) throws IOException, InterruptedException {
    var request = StopDaemon.Request.read(call.fields(StopDaemon.FIELDS));
    var stopping = verbs.stop().run(call.ask(), request);
    return Reply.json(
        HttpStatus.ACCEPTED_202,
        JsonWriter.object(out ->
            out.bool("stopping", true)
                .bool("all", stopping.all())
                .text("on_stop", stopping.onStop())
                .number("wait_secs", stopping.waitMax().toSeconds())));
  }

  private Reply gc(Call call) throws IOException, InterruptedException {
    call.fields(List.of());
    var cleaned = verbs.cleanUp().run(call.ask(), new CleanUp.Request());
    return Reply.json(
        HttpStatus.OK_200,
        JsonWriter.object(out ->
            out.number("tasks", cleaned.tasks())
                .number("artifacts", cleaned.artifacts())
                .number("logs", cleaned.logs())
                .number("builds", cleaned.builds())
                .number("bytes_stored", cleaned.bytesStored())));
  }

  private Reply config(Call call) throws InterruptedException {
    var listing = verbs.config().run(call.asker(), new ShowConfig.Request());
    return Reply.json(HttpStatus.OK_200, ConfigJson.of(listing));
  }

  private Reply reload(Call call) throws IOException, InterruptedException {
    call.fields(List.of());
    var reloaded = verbs.reload().run(call.ask(), new ReloadConfig.Request());
    return Reply.json(HttpStatus.OK_200, ConfigJson.of(reloaded));
  }

  private Reply processes(Call call) throws InterruptedException {
    var processes = verbs.processes().run(call.asker(), new ShowProcesses.Request());
    return Reply.json(
        HttpStatus.OK_200,
        JsonWriter.object(out ->
            out.array("processes", list -> processes.forEach(it -> list.item(o -> write(o, it))))));
  }

  private static void write(JsonWriter out, Admin.LeftProcess process) {
    out.number("pid", process.pid())
        .number("start_ticks", process.startTicks())
        .text("kind", process.kept() ? "kept" : "escaped")
        .text("command", process.command())
        .texts("task_ids", process.taskIds().stream().map(it -> it.value()).toList());
  }

  private Reply endProcess(Call call) throws IOException, InterruptedException {
    var request = EndProcess.Request.read(call.fields(EndProcess.FIELDS));
    var ended = verbs.endProcess().run(call.ask(), request);
    return Reply.json(
        HttpStatus.OK_200,
        JsonWriter.object(out ->
            out.number("pid", ended.pid())
                .numbers("killed", ended.killed())
                .numbers("survivors", ended.survivors())));
  }
}
