//go:build !linux

package main

import "os"

// eachKey: here terminals give us whole lines.
func eachKey(*os.File) (restore func(), ok bool) { return nil, false }
