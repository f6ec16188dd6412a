package command

import (
	"cmp"
	"strings"

	"kurogo/messages"
)

// The placeholders that arguments may hold.
const (
	modelPlace  = "{model}"
	dirPlace    = "{dir}"
	systemPlace = "{system_prompt}"
)

// argv fills the placeholders in; told reports whether the system prompt is
// among the arguments.
func (o Options) argv(spec messages.Spec) (args []string, told bool, err error) {
	fill := strings.NewReplacer(modelPlace, spec.Model, dirPlace, cmp.Or(spec.Dir, "."), systemPlace, spec.SystemPrompt)
	for _, arg := range o.Args {
		if strings.Contains(arg, modelPlace) && spec.Model == "" {
			return nil, false, messages.Invalid("model", "%s is given its model, and there is none", o.name()).
				Try("name a model, or take " + modelPlace + " out of args")
		}
		told = told || strings.Contains(arg, systemPlace)
		args = append(args, strings.ReplaceAll(fill.Replace(arg), "\x00", "\uFFFD"))
	}
	return args, told, nil
}
