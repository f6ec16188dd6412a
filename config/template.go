package config

import (
	"slices"
	"strconv"
	"strings"
)

// Template is the kurogo.toml that init writes, with comments in the language
// ("ja", else "en"). found are the commands of agents that are there, such as
// claude, codex or cursor-agent; the first that Kurogo knows drives the crew.
// extensions are what the gateway opens beside the defaults: LanguageExtensions
// knows them.
func Template(found []string, language string, extensions ...string) string {
	if language != "ja" {
		language = "en"
	}
	b, err := text.ReadFile("template/kurogo." + language + ".toml")
	if err != nil {
		panic("read embedded template: " + err.Error()) // the build embeds it
	}
	var drivers []string
	for _, kind := range Kinds() {
		if slices.ContainsFunc(clis[kind], func(cli string) bool { return slices.Contains(found, cli) }) {
			drivers = append(drivers, kind)
		}
	}
	driver, names := `#driver = "rehearsal"`, "-"
	if len(drivers) > 0 {
		driver, names = `driver = "`+drivers[0]+`"`, strings.Join(drivers, ", ")
	}
	return strings.NewReplacer(
		"{{driver}}", driver, "{{found}}", names, "{{language}}", language, "{{extensions}}", extensionLine(extensions),
	).Replace(string(b))
}

// extensionLine is a comment where nothing is added to the defaults.
func extensionLine(add []string) string {
	mark, quoted := "", []string{}
	if len(add) == 0 {
		mark = "#"
	}
	for _, ext := range append(defaultExtensions(), add...) {
		quoted = append(quoted, strconv.Quote(ext))
	}
	return mark + "extensions = [" + strings.Join(quoted, ", ") + "]"
}
