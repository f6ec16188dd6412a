package hermes_test

import (
	"testing"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A life is one conversation as a story sees it.
type life = drivertest.Play

func begin(t *testing.T, o hermes.Options, spec messages.Spec) *life {
	t.Helper()
	return drivertest.Begin(t, hermes.New(o), named(spec))
}

// named is a brief that names the model, as every one must.
func named(spec messages.Spec) messages.Spec {
	if spec.Model == "" {
		spec.Model = modeltest.Model
	}
	return spec
}

// scripted is a life before a model that says these steps in every turn.
func (w way) scripted(t *testing.T, spec messages.Spec, steps ...modeltest.Step) (*life, *modeltest.Server) {
	t.Helper()
	model := modeltest.New(t)
	model.Add(modeltest.Turn(modeltest.Anybody, steps...))
	return begin(t, w.options(model), spec), model
}

// tools are tools of these names.
func tools(names ...string) []messages.Tool {
	var out []messages.Tool
	for _, name := range names {
		out = append(out, messages.Tool{Name: name, Description: "It is called " + name + ".", Schema: []byte(`{"type":"object"}`)})
	}
	return out
}

func call(name string, input any) modeltest.Tool { return modeltest.Tool{Name: name, Input: input} }
