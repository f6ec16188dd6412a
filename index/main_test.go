package index_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("INDEX_TEST_ROOT"); root != "" {
		victim(root, os.Getenv("INDEX_TEST_DB"))
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
}
