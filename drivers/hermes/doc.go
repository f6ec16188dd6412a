// Package hermes makes an agent of a bare model: one behind Ollama, or behind any
// service that speaks OpenAI's chat completions. The model only talks; the loop,
// the memory and the tools are here. A life is no process but a conversation.
//
//	owner            hermes                          model
//	  Send       ->   system, memory, the turn   ->
//	                                             <-   {thought, tool_calls, final_answer}
//	             <-   DriverToolAsked
//	  Answer     ->   what the tools answered    ->
//	                                             <-   {final_answer}
//	             <-   DriverTurnEnded
//
// A model answers in strict JSON (envelope.go), or by the tool calls of its
// service where the owner wants those and the service has them. Whatever it
// answers is bounded: requests, calls, bytes, tokens and time (limits.go).
package hermes
