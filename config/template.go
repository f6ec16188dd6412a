package config

import (
	"slices"
	"strings"
)

// Template is the kurogo.toml that init writes, with comments in the language
// ("ja", else "en"). found are the commands of agents that are there, such as
// claude, codex or cursor-agent; the first that Kurogo knows drives the crew.
func Template(found []string, language string) string {
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
	return strings.NewReplacer("{{driver}}", driver, "{{found}}", names, "{{language}}", language).Replace(string(b))
}
