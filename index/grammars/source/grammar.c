// One grammar: its table, and the scanner that some have beside it.
#include "parser.c"
#if __has_include("scanner.c")
#include "scanner.c"
#endif
