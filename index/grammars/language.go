package grammars

// A Language is one that there is a grammar for. The order is the module's.
type Language int

// The languages. JavaScript includes JSX; C++ serves headers of both.
const (
	Python Language = iota
	JavaScript
	TypeScript
	TSX
	Rust
	Java
	C
	CPP
	Ruby
)

// A Mark says what a node is to whoever cuts a text. Odd ones are not looked
// into unless they are long.
type Mark uint32

// The marks of nodes.
const (
	Definition Mark = 1 // a function, a method, a type
	Container  Mark = 2 // a class and whatever else has methods
	Tall       Mark = 3 // a Definition if it takes more than a line
	Wrapper    Mark = 4 // stands around another: export, decorators, template
	Statement  Mark = 5 // a Definition if it is of some length or a route
	Signature  Mark = 7 // of a Definition of the same name that follows, or of none
)

var wanted = [...]map[Mark][]string{
	Python: {
		Definition: {"function_definition"},
		Container:  {"class_definition"},
		Wrapper:    {"decorated_definition"},
	},
	JavaScript: script,
	TypeScript: typed,
	TSX:        typed,
	Rust: {
		Definition: {"function_item", "struct_item", "enum_item", "union_item", "macro_definition"},
		Signature:  {"function_signature_item"},
		Tall:       {"const_item", "static_item", "type_item"},
		Container:  {"impl_item", "trait_item"},
	},
	Java: {
		Definition: {"method_declaration", "constructor_declaration", "compact_constructor_declaration"},
		Container:  {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"},
	},
	C: {
		Definition: {"function_definition"},
		Tall:       {"struct_specifier", "enum_specifier", "union_specifier", "type_definition", "declaration", "preproc_function_def"},
	},
	CPP: {
		Definition: {"function_definition"},
		Tall:       {"enum_specifier", "union_specifier", "type_definition", "preproc_function_def"},
		Container:  {"class_specifier", "struct_specifier"},
		Wrapper:    {"template_declaration"},
	},
	Ruby: {
		Definition: {"method", "singleton_method"},
		Container:  {"class", "module", "singleton_class"},
	},
}

var (
	script = map[Mark][]string{
		Definition: {"function_declaration", "generator_function_declaration", "method_definition"},
		Container:  {"class_declaration"},
		Wrapper:    {"export_statement"},
		Statement:  {"lexical_declaration", "variable_declaration", "expression_statement"},
	}
	typed = map[Mark][]string{
		Definition: append([]string{"interface_declaration", "type_alias_declaration", "enum_declaration"}, script[Definition]...),
		Container:  append([]string{"abstract_class_declaration"}, script[Container]...),
		Wrapper:    append([]string{"ambient_declaration"}, script[Wrapper]...),
		Statement:  script[Statement],
		Signature:  {"function_signature", "method_signature", "abstract_method_signature"},
	}
)
