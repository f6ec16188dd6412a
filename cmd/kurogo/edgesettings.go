package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"kurogo/config"
	"kurogo/messages"
)

// settings tells how the house is configured, who is connected, and what was
// spent today. Of an environment there are only the names.
func (f *frontdesk) settings(ctx context.Context) (messages.Message, error) {
	out := messages.Settings{Path: f.cfg.Path, Connections: f.edge.guests.list()}
	usual, err := config.Load(config.Source{Dir: "/", Overrides: map[string]string{"language": f.cfg.Language}})
	if err != nil {
		return nil, err
	}
	out.Tables = tablesOf(f.cfg, usual)
	for _, name := range slices.Sorted(maps.Keys(f.cfg.Drivers)) {
		out.Tables = append(out.Tables, driverTable(name, f.cfg.Drivers[name]))
	}
	limits := f.cfg.MessageLimits()
	out.Budget = messages.Budget{DayLimit: limits.DayMicros, TaskLimit: limits.TaskMicros, TurnLimit: config.Micros(f.cfg.Limits.USDPerTurn)}
	cost, err := askOn[messages.Cost](ctx, f.house, messages.GetCost{By: "day"})
	if err != nil {
		return nil, err
	}
	today := f.today()
	for _, row := range cost.Rows {
		if row.Key == today {
			out.Budget.DaySpent = row.Micros
		}
	}
	return out, nil
}

// tablesOf lists the keys of every table that holds plain values, the loose ones
// first, each beside what it would be if nobody had said anything.
func tablesOf(now, usual config.Config) []messages.SettingTable {
	all := []messages.SettingTable{{Keys: []messages.Setting{}}}
	v, u := reflect.ValueOf(now), reflect.ValueOf(usual)
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("toml")
		switch {
		case name == "-" || name == "" || v.Field(i).Kind() == reflect.Map:
		case v.Field(i).Kind() == reflect.Struct:
			all = append(all, messages.SettingTable{Name: name, Keys: keysOf(v.Field(i), u.Field(i), "")})
		default:
			all[0].Keys = append(all[0].Keys, settingOf(name, v.Field(i), u.Field(i)))
		}
	}
	return all
}

// keysOf flattens a table; what is below it is named with a dot.
func keysOf(v, usual reflect.Value, above string) []messages.Setting {
	out := []messages.Setting{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Tag.Get("toml")
		if !field.IsExported() || name == "-" || name == "" || field.Type.Kind() == reflect.Map {
			continue
		}
		name = above + name
		if field.Type.Kind() == reflect.Struct {
			out = append(out, keysOf(v.Field(i), usual.Field(i), name+".")...)
			continue
		}
		out = append(out, settingOf(name, v.Field(i), usual.Field(i)))
	}
	return out
}

// secretKeys are keys whose value lets somebody in, or may.
var secretKeys = regexp.MustCompile(`(webhook|token|secret|password|api_key)$`)

// settingOf is a key as it may be shown: of a secret only that there is one, of an
// address no password.
func settingOf(name string, now, usual reflect.Value) messages.Setting {
	s := messages.Setting{Key: name, Value: shown(now), Default: shown(usual)}
	if secretKeys.MatchString(name) && s.Value != "" {
		s.Value = "***"
	}
	if u, err := url.Parse(s.Value); err == nil && u.User != nil {
		u.User = url.User("***")
		s.Value = u.String()
	}
	return s
}

// shown is a value as people write it.
func shown(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice {
		var words []string
		for i := range v.Len() {
			words = append(words, fmt.Sprint(v.Index(i)))
		}
		return strings.Join(words, ", ")
	}
	return fmt.Sprint(v)
}

// driverTable is what may be seen of a driver.
func driverTable(name string, d config.Driver) messages.SettingTable {
	t := messages.SettingTable{Name: "drivers." + name, Keys: []messages.Setting{}}
	for _, s := range []messages.Setting{
		{Key: "kind", Value: cmp.Or(d.Kind, name), Default: name},
		{Key: "command", Value: d.Command},
		{Key: "config", Value: d.Config},
		{Key: "permission", Value: d.Permission},
		{Key: "env", Value: strings.Join(slices.Sorted(maps.Keys(d.Env)), ", ")},
	} {
		if s.Value != s.Default {
			t.Keys = append(t.Keys, s)
		}
	}
	return t
}
