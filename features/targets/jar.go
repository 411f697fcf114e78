package targets

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// jarStart is how long a JVM may take to start on a busy machine.
const jarStart = 60 * time.Second

func openJar(ctx context.Context, o Options) (*Target, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("java is not on the PATH: install a Java runtime, version 17 or newer")
	}
	lib, err := fetchJar(ctx, o)
	if err != nil {
		return nil, err
	}
	return onFreePort(func(port int) (*Target, error) { return startJar(ctx, java, lib, port) })
}

// startJar starts DynamoDB Local on a port, and waits until it responds. Errors: errPortTaken, if another process has
// taken the port meanwhile.
func startJar(ctx context.Context, java, lib string, port int) (*Target, error) {
	p, err := startProcess(java,
		"-Djava.library.path="+lib, "-cp", filepath.Join(lib, "*"),
		"software.amazon.dynamodb.services.local.main.ServerRunner",
		"-inMemory", "-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port))
	if err != nil {
		return nil, fmt.Errorf("cannot start java: %w", err)
	}
	t := localTarget("127.0.0.1", port, "jar "+jarVersion)
	ctx, cancel := context.WithTimeout(ctx, jarStart)
	defer cancel()
	if err := awaitResponse(ctx, t.DynamoDB(), p.ended); err != nil {
		p.stop()
		if strings.Contains(p.out.String(), "Address already in use") {
			err = errPortTaken
		}
		return nil, fmt.Errorf("DynamoDB Local does not respond: %w\n%s", err, p.out.String())
	}
	t.closers = append(t.closers, p.stop)
	return t, nil
}
