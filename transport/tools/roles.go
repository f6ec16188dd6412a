package tools

import (
	"context"

	"kurogo/messages"
)

func (c *Catalogue) roles() []entry {
	return []entry{define(plan{
		name: "list_roles", title: "List the roles that agents can have", agents: true, hints: reads,
		about: "Lists who can be run: each role's id, model, and whether it is available, with the reason and the models that would do if it is not. " +
			"Use it before the first run_agent. A role that is still checking can be run: its agents wait until it is known.",
		input: object(),
		answer: answer(must("roles", list(0, 0, answer(
			must("id", said("what run_agent takes as role")),
			must("name", said("its name, for people")),
			must("driver", said("the kind of agent")),
			must("model", said("its model; empty = the driver's own")),
			must("available", yes("whether run_agent takes it")),
			must("healthCheck", answer(
				must("status", oneOf("whether it has answered", messages.HealthPassed, messages.HealthFailed, messages.HealthSkipped, messages.HealthChecking)),
				must("reason", orNull(said("why it has not"))),
				must("responseTime_ms", number("how long it took to answer")),
				must("checkedAt", moment("when it was asked")),
			)),
			must("modelValidation", answer(
				must("status", oneOf("whether the model exists", messages.ModelValid, messages.ModelInvalid, messages.ModelUnknown)),
				must("message", orNull(said("what is wrong with it"))),
				must("checkedAt", moment("when that was looked up")),
				must("availableModels", list(0, 0, said(""), "models that would do")),
			)),
		), "the roles, by id"))),
	}, c.listRoles)}
}

func (c *Catalogue) listRoles(ctx context.Context, _ use, _ struct{}) (any, error) {
	roles, err := ask[messages.Roles](ctx, c.port, messages.ListRoles{})
	return rolesView{each(roles.Roles, showRole)}, err
}
