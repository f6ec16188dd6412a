package tools

import (
	"context"

	"kurogo/messages"
)

// Bounds of a search by a client.
const (
	queryChars  = 2000
	mostPassage = 100
)

func (c *Catalogue) searching() []entry {
	passage := answer(
		must("path", said("the file, below the root")), must("span", said("its lines, such as L10-L42")), must("text", said("what stands there")),
		must("score", fraction("how well it fits; it means nothing outside this answer")), may("symbol", said("what is defined there, or the heading")),
		may("also", list(0, 0, said("path#Lx-Ly"), "where else the same text stands")),
	)
	return []entry{
		define(plan{
			name: "search_code", title: "Search the code base", agents: true, hints: reads,
			about: "Finds the passages of the project that fit a question best: functions, types, sections, each with its file and lines. Words, names and parts of names count, in any language; say what you look for in a sentence. " +
				"It knows the project as it was moments ago: stale_files names what has changed since. For an exact text use search_text, if you have it.",
			input: object(
				must("query", text(queryChars, "what you look for")),
				may("top_k", whole(1, mostPassage, "how many passages at most; the default is 10")),
				may("filters", object(may("path_prefix", text(pathChars, "only files below this path")))),
				may("granularity", oneOf("span ranks passages; file gives one good place per file", messages.SpanGranularity, messages.FileGranularity)),
				may("intent", oneOf("what you are about to do: read how it is done, change it, or see how it is tested", messages.IntentImplementation, messages.IntentChange, messages.IntentTests)),
			),
			answer: answer(
				must("chunks", list(0, 0, passage, "the best first")),
				must("stale_files", list(0, 0, said("a file"), "that have changed since they were indexed")),
				may("dense", said("the model of vectors that had a vote, lsa for what the index learned by itself, or why none had")),
			),
			faults: faults{messages.CodeUnavailable: {"query", "call it again in a moment: the index is being made"}},
		}, c.searchCode),
		define(plan{
			name: "index_status", title: "How the index is", agents: true, hints: reads,
			about: "Says what the index of search_code holds: its root, the commit it is in step with, how many files and passages, and what it does not know yet.",
			input: object(),
			answer: answer(
				must("root", said("the directory")), may("head", said("the commit, where there is git")), must("files", number("in the index")), must("chunks", number("passages")),
				must("syncing", yes("whether it is being brought in step")), must("queued", number("commits that hooks have told of and nobody has looked at")),
				must("stale_files", list(0, 0, said("a file"), "that have changed since they were indexed")),
				may("fault", said("why it could not be brought in step the last time; answers are of before")),
			),
		}, c.indexStatus),
	}
}

func (c *Catalogue) searchCode(ctx context.Context, _ use, a messages.Search) (any, error) {
	return ask[messages.Found](ctx, c.port, a)
}

func (c *Catalogue) indexStatus(ctx context.Context, _ use, _ struct{}) (any, error) {
	return ask[messages.IndexStatus](ctx, c.port, messages.GetIndexStatus{})
}
