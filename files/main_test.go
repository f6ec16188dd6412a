package files_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("KUROGO_TEST_PATCHER"); dir != "" {
		patchForEver(dir)
	}
	goleak.VerifyTestMain(m)
}
