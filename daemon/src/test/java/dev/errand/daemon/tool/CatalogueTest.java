package dev.errand.daemon.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

final class CatalogueTest {

  @Test
  void tools_that_manage_tasks_are_refused_while_they_are_switched_off() {
    var enabled = new AtomicBoolean(false);
    var tools =
        new Catalogue(
                List.of(tool("task_list", Toolset.TASKS), tool("shell", Toolset.SHELL)),
                () -> ReplyForm.CHARS_DEFAULT)
            .whileEnabled(enabled::get);

    assertThat(tools.get("shell").info().name()).isEqualTo("shell");
    assertThatThrownBy(() -> tools.get("task_list"))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("enabled = true in [tasks]");
    enabled.set(true);
    assertThat(tools.get("task_list").info().name()).isEqualTo("task_list");
  }

  @Test
  void a_tool_that_is_switched_off_is_not_listed_until_it_is_on_again() {
    var enabled = new AtomicBoolean(false);
    var tools =
        new Catalogue(
                List.of(tool("task_list", Toolset.TASKS), tool("shell", Toolset.SHELL)),
                () -> ReplyForm.CHARS_DEFAULT)
            .whileEnabled(enabled::get);

    assertThat(tools.list()).extracting(it -> it.info().name()).containsExactly("shell");
    assertThatThrownBy(() -> tools.get("nothing")).hasMessageEndingWith("there are: shell");
    enabled.set(true);
    assertThat(tools.list())
        .extracting(it -> it.info().name())
        .containsExactly("task_list", "shell");
  }

  private static Tool tool(String name, String toolset) {
    var schema = JsonNodeFactory.instance.objectNode();
    var info = new ToolInfo(name, toolset, name, name, schema, Annotations.READS);
    return new Tool() {
      @Override
      public ToolInfo info() {
        return info;
      }

      @Override
      public ToolResult call(ToolCall call) {
        throw new UnsupportedOperationException();
      }
    };
  }
}
