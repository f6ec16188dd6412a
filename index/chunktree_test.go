package index_test

import (
	"fmt"
	"strings"
	"testing"

	"kurogo/index"
)

// In every language that has a grammar, what is defined stands alone, with the
// comments and decorators over it, under its name and its route.
func TestCutByGrammar(t *testing.T) {
	wantCuttings(t, []cutting{
		{"a.py", `"""About."""
import os

@app.get("/items/{id}")
@cached
async def item(id):
    return id

class Door:
    """Opens."""
    def open(self): pass

LIMIT = 3
`, "1-2 \n4-7 item /items/{id}\n9-13 Door"},
		{"a.js", `const fs = require("fs");
const path = require("path");

// Lists all.
app.get("/list", (req, res) => {
  res.send("}");
});

Door.prototype.open = function () {
  const x = 1;
  return x;
};

export default class Door {
  open() { return /}/; }
}

(function () {
  function inner() {}
})();
`, "1-2 fs path\n4-7 /list\n9-12 Door.prototype.open\n14-16 Door\n18-20 "},
		{"a.ts", `export type Id = string;

/** Opens. */
export function open(id: Id): void;
export function open(id: number): void;
export function open(id: unknown): void {
  use(id);
}

declare module "x" {
  interface Door { open(): void }
}

export const close = async (id: Id) => {
  const x = id;
  await x;
};

@Injectable()
export abstract class House<T> {
  abstract swing(): T;
}
`, "1-1 Id\n3-8 open\n10-12 Door\n14-17 close\n19-22 House"},
		{"a.tsx", "export function Page({ a }: Props) {\n  return <div>{a}</div>;\n}\n", "1-3 Page"},
		{"a.rs", `//! About.
use std::fmt;

#[derive(Debug)]
pub struct Door<'a> { name: &'a str }

impl<'a> fmt::Display for Door<'a> {
    fn fmt(&self) -> fmt::Result { Ok(()) }
}

#[get("/doors/{id}")]
async fn door(id: u32) -> String { "}".into() }

macro_rules! swing { () => {}; }
`, "1-2 \n4-5 Door\n7-9 Door\n11-12 door /doors/{id}\n14-14 swing"},
		{"A.java", `package a;

import java.util.List;

/** Doors. */
public record Door(String name) {
    @GetMapping("/doors")
    List<Door> all() { return List.of(); }
}

@interface Mark {
}
`, "1-3 \n5-9 Door\n11-12 Mark"},
		{"a.c", `#include <stdio.h>

struct door {
	int open;
};

static const struct door front = {
	.open = 1,
};

/* Opens. */
static int *
door_open(struct door *d)
{
	return &d->open;
}
`, "1-1 \n3-5 door\n7-9 front\n11-16 door_open"},
		{"a.h", `#pragma once
namespace house {

template <typename T>
class Door {
 public:
  void open();
};

// Opens.
template <typename T>
void Door<T>::open() {
  swing();
}

bool operator==(const Door<int> &a, const Door<int> &b) { return &a == &b; }

}  // namespace house
`, "1-2 house\n4-8 Door\n10-14 Door<T>.open\n16-18 operator=="},
		{"a.rb", `require "set"

module House
  # Opens.
  class Door
    def open = true

    def self.closed?
      false
    end
  end
end

get "/doors" do
  "all"
end
`, "1-1 \n3-12 House\n14-16 /doors"},
	}...)
}

// A large class is cut at its members, which keep its name; what is small between
// them stays with the one before.
func TestCutLargeClass(t *testing.T) {
	var b strings.Builder
	b.WriteString("import x from \"y\";\n\n/** Doors. */\nexport class Door extends Thing {\n  state = 1;\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "  // Opens %d.\n  open%d(): void {\n    use(%d);\n  }\n\n", i, i, i)
	}
	b.WriteString("  last = 2;\n}\n")
	pieces := index.Cut("door.ts", b.String())
	if len(pieces) != 32 {
		t.Fatalf("%d pieces: %+v", len(pieces), pieces)
	}
	for i, want := range map[int]string{1: "3-5 Door", 2: "7-10 Door.open0", 31: "152-158 Door.open29"} {
		if got := fmt.Sprintf("%d-%d %s", pieces[i].First, pieces[i].Last, pieces[i].Symbol); got != want {
			t.Errorf("piece %d is %s, want %s", i, got, want)
		}
	}
}

// What stands around everything is no reason to cut in windows.
func TestCutLargeClosure(t *testing.T) {
	text := "(function () {\n" + strings.Repeat("  function swing() {\n    return 1;\n  }\n\n", 50) + "})();\n"
	pieces := index.Cut("door.js", text)
	if len(pieces) < 50 || pieces[20].Symbol != "swing" || pieces[20].Last-pieces[20].First != 2 {
		t.Errorf("%d pieces: %+v", len(pieces), pieces)
	}
}

// A method of a class that stays whole is found by its name.
func TestMethodOfASmallClassIsFound(t *testing.T) {
	s := newDirectory(t)
	s.write("door.py", "class Door:\n    def swingWide(self):\n        pass\n")
	s.write("use.py", "import door\n\ndef run(d):\n    d.swingWide()\n    d.swingWide()\n    d.swingWide()\n")
	s.sync()
	s.wantFirst("swingWide", "door.py#L1-L3")
}
