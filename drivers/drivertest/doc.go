// Package drivertest is the exam that every driver sits: one story for each rule
// of the contract in messages/driver.go. A driver's own test maps each Behaviour
// to a script of its kind of agent and calls Exam; what its kind cannot do, it
// skips by name. A driver whose lives are of one turn (Spec.OneShot, or Caps
// without LongLived) sits the stories of one turn instead of those of many.
package drivertest
