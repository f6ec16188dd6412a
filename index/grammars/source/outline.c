// outline parses a source text with one of the grammars that it is linked with,
// and lists the nodes that are wanted: what of a file stands where, under which
// name. One parser, one text at a time: whoever wants two at once starts two.
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#define GRAMMARS(X) X(python) X(javascript) X(typescript) X(tsx) X(rust) X(java) X(c) X(cpp) X(ruby)

#define DECLARE(name) const TSLanguage *tree_sitter_##name(void);
GRAMMARS(DECLARE)

#define FUNCTION(name) tree_sitter_##name,
static const TSLanguage *(*const grammars[])(void) = {GRAMMARS(FUNCTION)};

enum { COUNT = sizeof grammars / sizeof *grammars };

static uint8_t *wanted[COUNT]; // by symbol: how it is marked, 0 = not wanted
static uint32_t symbols[COUNT];
static TSFieldId field_name[COUNT], field_inner[COUNT][4];

typedef struct {
  uint32_t mark;                 // as it was wanted
  uint32_t start, end;           // bytes
  uint32_t name_start, name_end; // bytes; equal if it has none
} Node;

static struct {
  Node *nodes;
  uint32_t count, room;
} found;

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(allocate) void *allocate(uint32_t size) { return malloc(size); }
EXPORT(release) void release(void *p) { free(p); }

// want marks the nodes of a kind. It returns 0 if the grammar has no such kind.
EXPORT(want) int want(uint32_t grammar, const char *kind, uint32_t length, uint32_t mark) {
  const TSLanguage *language = grammars[grammar]();
  if (!wanted[grammar]) {
    static const char *const inner[] = {"declarator", "definition", "declaration", "type"};
    symbols[grammar] = ts_language_symbol_count(language);
    wanted[grammar] = calloc(symbols[grammar], 1);
    field_name[grammar] = ts_language_field_id_for_name(language, "name", 4);
    for (int i = 0; i < 4; i++)
      field_inner[grammar][i] = ts_language_field_id_for_name(language, inner[i], strlen(inner[i]));
  }
  int known = 0;
  for (uint32_t s = 0; s < symbols[grammar]; s++) {
    const char *name = ts_language_symbol_name(language, s);
    if (ts_language_symbol_type(language, s) == TSSymbolTypeRegular && strlen(name) == length && !memcmp(name, kind, length)) {
      wanted[grammar][s] = mark;
      known = 1;
    }
  }
  return known;
}

// name follows a node to what it is called: a declarator within declarators, a
// definition under its decorators, the type that is implemented.
static TSNode name_of(TSNode node, uint32_t grammar) {
  for (;;) {
    const char *kind = ts_node_type(node);
    if (!strcmp(kind, "qualified_identifier") || !strcmp(kind, "scope_resolution"))
      return node;
    TSNode next = ts_node_child_by_field_id(node, field_name[grammar]);
    int with_type = !strcmp(kind, "impl_item") || !strcmp(kind, "generic_type");
    for (int i = 0; i < 3 + with_type && ts_node_is_null(next); i++)
      if (field_inner[grammar][i])
        next = ts_node_child_by_field_id(node, field_inner[grammar][i]);
    if (ts_node_is_null(next) && (!strcmp(kind, "reference_declarator") || !strcmp(kind, "lexical_declaration") || !strcmp(kind, "variable_declaration")))
      next = ts_node_named_child(node, 0);
    if (ts_node_is_null(next))
      return node;
    node = next;
  }
}

static int keep(TSNode node, uint32_t grammar, uint32_t mark) {
  if (found.count == found.room) {
    uint32_t room = found.room ? 2 * found.room : 1024;
    Node *nodes = realloc(found.nodes, room * sizeof *nodes);
    if (!nodes)
      return 0;
    found.nodes = nodes;
    found.room = room;
  }
  TSNode name = name_of(node, grammar);
  int named = !ts_node_eq(name, node);
  found.nodes[found.count++] = (Node){
      mark,
      ts_node_start_byte(node), ts_node_end_byte(node),
      named ? ts_node_start_byte(name) : 0, named ? ts_node_end_byte(name) : 0,
  };
  return 1;
}

typedef struct {
  const char *text;
  uint32_t length;
  uint32_t patience; // how often progress may still be reported
} Source;

static const char *read_source(void *payload, uint32_t at, TSPoint point, uint32_t *read) {
  (void)point;
  Source *source = payload;
  *read = at < source->length ? source->length - at : 0;
  return source->text + at;
}

static bool impatient(TSParseState *state) {
  Source *source = state->payload;
  return source->patience-- == 0;
}

EXPORT(nodes) Node *nodes(void) { return found.nodes; }

// outline lists the wanted nodes of a text in the order in which they begin,
// outer before inner, and returns how many there are; -1 if the text took more
// patience than was given. What is wanted with an odd mark is not looked into
// unless it has more rows than whole.
EXPORT(outline) int32_t outline(uint32_t grammar, const char *text, uint32_t length, uint32_t whole, uint32_t patience) {
  static TSParser *parser;
  if (!parser)
    parser = ts_parser_new();
  found.count = 0;
  ts_parser_reset(parser);
  if (!ts_parser_set_language(parser, grammars[grammar]()))
    return -1;
  Source source = {text, length, patience};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, (TSInput){&source, read_source, TSInputEncodingUTF8, NULL}, (TSParseOptions){&source, impatient});
  if (!tree)
    return -1;
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  for (int more = 1; more;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    TSSymbol symbol = ts_node_symbol(node); // of an error: none of the grammar's
    uint32_t mark = symbol < symbols[grammar] ? wanted[grammar][symbol] : 0;
    if (mark && ts_node_is_named(node) && !keep(node, grammar, mark))
      break;
    int closed = mark & 1 && ts_node_end_point(node).row - ts_node_start_point(node).row < whole;
    if (!closed && ts_tree_cursor_goto_first_child(&cursor))
      continue;
    while (!ts_tree_cursor_goto_next_sibling(&cursor))
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        more = 0;
        break;
      }
  }
  ts_tree_cursor_delete(&cursor);
  ts_tree_delete(tree);
  return (int32_t)found.count;
}
