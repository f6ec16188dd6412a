// Package drivertest is the exam that every driver sits: one story for each rule
// of the contract in messages/driver.go. A driver's own test maps each Behaviour
// to a script of its kind of agent and calls Exam; what its kind cannot do, it
// skips by name. A driver whose lives are of one turn (Spec.OneShot, or Caps
// without LongLived) sits the stories of one turn instead of those of many.
//
// Beside it stands what such tests share: the parts of a fake agent that are the
// same in every protocol (fake.go), a Play for a driver's own stories, a Theatre
// for those of a real CLI before a scripted model, and Sound for fuzz tests.
package drivertest
