// Package rehearsal plays a messages.Performance instead of thinking: the
// driver of a stage without any model, the demo, and the double of every agent
// in a test.
//
// A rehearsal is a real life: New starts a player, a process of its own, and
// speaks with it in lines of JSON (word.go). Play is the player; the hidden verb
// of the program calls it. A player remembers nothing between two turns, so that
// a life that falls can be begun anew at any of them.
//
//	driver                  player
//	  hello            ->
//	                   <-   ready
//	  turn             ->
//	                   <-   thinking, text, tool_call …
//	  tool_result      ->
//	                   <-   turn_end
package rehearsal
