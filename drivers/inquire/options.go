package inquire

import "regexp"

// Options are the long options that a CLI has, "--" and all.
type Options map[string]bool

var option = regexp.MustCompile(`--[a-zA-Z][a-zA-Z-]*`)

// ReadHelp finds the options that a help text names.
func ReadHelp(text string) Options {
	o := Options{}
	for _, name := range option.FindAllString(text, -1) {
		o[name] = true
	}
	return o
}

// Missing are those of the names that are not among the options, in their order.
func (o Options) Missing(names []string) []string {
	var missing []string
	for _, name := range names {
		if !o[name] {
			missing = append(missing, name)
		}
	}
	return missing
}
