package config

import (
	"maps"
	"slices"
	"strings"

	"kurogo/messages"
)

// change works out what an edit makes of the files, and asks the loader whether it
// would take them.
func (f *roleFiles) change(e messages.RoleEdit) (messages.RoleChange, error) {
	c := messages.RoleChange{Path: f.path, Before: f.base, Text: f.from}
	d := newDocument(f.from)
	tree, err := parseTree(f.from)
	if err != nil {
		return c, messages.Invalid("path", "%v", err)
	}
	table, listed := f.table(tree, e.ID)
	switch {
	case e.Delete:
		c.Text, err = f.delete(tree, e.ID)
	case e.CopyOf != "":
		c.Text, err = f.copy(d, tree, e)
	case listed:
		sets := f.news(table, e)
		sets, err = f.intoPromptFile(&c, e.ID, sets)
		if err == nil && len(sets) > 0 {
			c.Text, err = assign(f.from, f.at(e.ID), sets)
		}
	case f.builtIn(e.ID):
		if sets := f.news(nil, e); len(sets) > 0 {
			c.Text, err = f.add(tree, e.ID, sets)
		}
	default:
		err = f.nobody(e.ID, "id")
	}
	if err != nil {
		return messages.RoleChange{}, err
	}
	return f.judged(c, e.ID)
}

// judged is a change with its diff, once the loader has taken it.
func (f *roleFiles) judged(c messages.RoleChange, id string) (messages.RoleChange, error) {
	if c.Text == f.from {
		c.Text = f.text
	}
	texts := map[string]string{f.path: c.Text}
	if c.PromptPath != "" {
		texts[c.PromptPath] = c.PromptText
		c.Diff = unified(f.shown(c.PromptPath), f.promptText, c.PromptText)
	}
	if len(c.Text) > largest {
		return messages.RoleChange{}, messages.Invalid("system_prompt", "%s would be over 4 MiB", f.shown(f.path)).Try("shorten it")
	}
	if _, err := f.load(texts); err != nil {
		return messages.RoleChange{}, refusal(err, f.at(id), f.shelf)
	}
	c.Diff = unified(f.shown(f.path), f.text, c.Text) + c.Diff
	return c, nil
}

// table is what the file itself says of that id.
func (f *roleFiles) table(tree map[string]any, id string) (map[string]any, bool) {
	all, _ := tree[f.section].(map[string]any)
	table, ok := all[id].(map[string]any)
	return table, ok
}

// news is what an edit says that is not so already. A form sends everything that
// it shows, and what is built in is not to be written down for that.
func (f *roleFiles) news(table map[string]any, e messages.RoleEdit) []assignment {
	now := f.holds(e.ID)
	return slices.DeleteFunc(f.assignments(e), func(set assignment) bool {
		said, ok := table[set.key].(string)
		if !ok {
			said, ok = now[set.key]
		} else if set.key == f.prompt && f.section == personaShelf.section && sameText(now[set.key], set.text) {
			return true // as it reads once its names are filled in
		}
		return ok && sameText(said, set.text)
	})
}

// holds is what is so now, whoever says it. Drivers and models are left out: what
// nobody says is chosen anew at every start.
func (f *roleFiles) holds(id string) map[string]string {
	if p, ok := f.now.Personas[id]; ok && f.section == personaShelf.section {
		return map[string]string{f.name: p.Title, f.prompt: p.SystemPrompt}
	}
	if r, ok := f.now.Roles[id]; ok && f.section == roleShelf.section {
		return map[string]string{f.name: r.Name, f.prompt: r.SystemPrompt, "health_check_prompt": r.HealthCheckPrompt}
	}
	return nil
}

// sameText reports whether two texts differ in their breaks of lines at most:
// those are a file's own affair.
func sameText(a, b string) bool {
	return strings.ReplaceAll(a, "\r\n", "\n") == strings.ReplaceAll(b, "\r\n", "\n")
}

// intoPromptFile takes a prompt that stands in a file out of what is set in
// kurogo.toml.
func (f *roleFiles) intoPromptFile(c *messages.RoleChange, id string, sets []assignment) ([]assignment, error) {
	i := slices.IndexFunc(sets, func(set assignment) bool { return set.key == f.prompt })
	if f.promptPath == "" || i < 0 {
		return sets, nil
	}
	text := sets[i].text
	sets = slices.Delete(sets, i, i+1)
	if sameText(f.promptText, text) {
		return sets, nil
	}
	c.PromptPath, c.PromptText = f.promptPath, text
	return sets, f.mayWritePrompt(id)
}

// delete takes a table out. The last of its kind stays: without any, all of the
// built-in ones would come back.
func (f *roleFiles) delete(tree map[string]any, id string) (string, error) {
	all, some := tree[f.section].(map[string]any)
	others := f.others(tree, id)
	switch {
	case some && all[id] == nil, !some && !f.builtIn(id):
		return "", f.nobody(id, "id")
	case len(others) == 0 && (!some || len(all) == 1):
		return "", messages.Errorf(messages.CodeConflict, "%s is the only %s", id, f.what).Try("make another one first")
	case some:
		return cutTable(f.from, f.at(id))
	}
	return f.list(f.from, others)
}

// copy makes a table out of another one.
func (f *roleFiles) copy(d document, tree map[string]any, e messages.RoleEdit) (string, error) {
	_, taken := f.table(tree, e.ID)
	_, listed := f.table(tree, e.CopyOf)
	switch _, some := tree[f.section]; {
	case taken, !some && f.builtIn(e.ID):
		return "", messages.Errorf(messages.CodeConflict, "there is a %s %s already", f.what, e.ID).Try("choose another id")
	case !listed && (some || !f.builtIn(e.CopyOf)):
		return "", f.nobody(e.CopyOf, "copy_of")
	}
	var sets []assignment
	for _, p := range d.keys(f.at(e.CopyOf)) {
		sets = append(sets, assignment{key: p.at[len(p.at)-1], raw: d.text[p.value:p.end]})
	}
	for _, set := range f.builtInKeys(e.CopyOf) {
		if !has(sets, set.key) && (set.key != f.prompt || !has(sets, f.file)) {
			sets = append(sets, set)
		}
	}
	for _, set := range f.assignments(e) {
		if set.key == f.prompt {
			sets = slices.DeleteFunc(sets, func(old assignment) bool { return old.key == f.file })
		}
		if i := slices.IndexFunc(sets, func(old assignment) bool { return old.key == set.key }); i >= 0 {
			sets[i] = set
			continue
		}
		sets = append(sets, set)
	}
	return f.add(tree, e.ID, sets)
}

func has(sets []assignment, key string) bool {
	return slices.ContainsFunc(sets, func(set assignment) bool { return set.key == key })
}

// builtInKeys is what a built-in one has that its copy would not: names and prompts
// go by the id.
func (f *roleFiles) builtInKeys(id string) []assignment {
	if !f.builtIn(id) {
		return nil
	}
	language := f.now.Language
	if f.section == personaShelf.section {
		m := crew[messages.Address(id)]
		return []assignment{
			{key: f.name, text: m.title[language]},
			{key: "reports_to", text: string(m.reportsTo)},
			{key: f.prompt, text: shipped("crew", language, id)},
		}
	}
	out := []assignment{{key: f.name, text: roles[id].name[language]}, {key: f.prompt, text: shipped("roles", language, id)}}
	if r := f.now.Roles[id]; !r.undecided && r.Model != "" {
		out = append(out, assignment{key: "model", text: r.Model})
	}
	return out
}

// add puts a new table at the end. In a file that lists none, all built-in ones
// exist: they are listed with it, or they would be gone.
func (f *roleFiles) add(tree map[string]any, id string, sets []assignment) (string, error) {
	text, err := addTable(f.from, f.at(id), sets)
	if err != nil {
		return "", err
	}
	return f.list(text, f.others(tree, id))
}

// list adds empty tables: they have what is built in.
func (f *roleFiles) list(text string, ids []string) (string, error) {
	for _, id := range ids {
		var err error
		if text, err = addTable(text, f.at(id), nil); err != nil {
			return "", err
		}
	}
	return text, nil
}

// others are the built-in ones that exist because the file lists none.
func (f *roleFiles) others(tree map[string]any, id string) []string {
	if _, some := tree[f.section]; some {
		return nil
	}
	return slices.DeleteFunc(f.shippedIDs(), func(other string) bool { return other == id })
}

func (f *roleFiles) shippedIDs() []string {
	if f.section == personaShelf.section {
		var ids []string
		for id := range crew {
			ids = append(ids, string(id))
		}
		slices.Sort(ids)
		return ids
	}
	return slices.Sorted(maps.Keys(roles))
}

func (f *roleFiles) builtIn(id string) bool { return slices.Contains(f.shippedIDs(), id) }

// ids are who is there now.
func (f *roleFiles) ids() []string {
	if f.section == personaShelf.section {
		return slices.Sorted(maps.Keys(f.now.Personas))
	}
	return slices.Sorted(maps.Keys(f.now.Roles))
}

func (f *roleFiles) nobody(id, field string) error {
	err := messages.Errorf(messages.CodeNotFound, "there is no %s %q", f.what, id).Try(instead(id, f.ids()))
	err.Field = field
	return err
}
