/* As much of a plugin as the host reads without running it: the note and the one exported symbol, here without any
 * function group. */
#include <berth/plugin_helper.h>
#include <stddef.h>

BERTH_PLUGIN_NOTE("harbour", "npu", "1.0", "consumer", 0);

static const berth_table kTable = {.struct_size = sizeof(berth_table)};

int harbour_internal(void);
int harbour_internal(void) { return 1; }

BERTH_EXPORT berth_code berth_plugin_query(const berth_query_args* args, berth_plugin_info* out_info,
                                           berth_error* error) {
  return berth_answer_query(&berth_plugin_note, &kTable, 0, args, out_info, error);
}
