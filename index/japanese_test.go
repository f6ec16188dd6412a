package index_test

import (
	"slices"
	"strings"
	"testing"
)

// Two characters of Japanese are found wherever they stand, and nowhere else.
func TestJapanese(t *testing.T) {
	s := newDirectory(t)
	texts := map[string]string{
		"a.md": "# 設計\n\n差分同期の設計とチャンク戦略\n", "b.md": "# 評価\n\n評価ループは最大5回まで再試行する\n",
		"c.md": "# 履歴\n\nチャットの履歴を保存する。差分はない。\n", "d.md": "# 改名\n\n改名対応は埋め込みを再計算しない\n",
	}
	for name, text := range texts {
		s.write(name, text)
	}
	s.sync()
	for _, query := range []string{"差分", "改名", "履歴", "評価", "再計", "設計", "込み", "対応", "保存"} {
		var want, got []string
		for name, text := range texts {
			if strings.Contains(text, query) {
				want = append(want, name)
			}
		}
		for _, c := range s.search(query).Chunks {
			got = append(got, c.Path)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is found in %q, stands in %q", query, got, want)
		}
	}
}
