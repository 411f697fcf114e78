package targets

import (
	"context"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"
)

const (
	amazonImage = "amazon/dynamodb-local"
	// containerLife ends a container whose owner was killed before it could stop it. It is far longer than any run.
	containerLife  = 2 * time.Hour
	containerPort  = "8000/tcp"
	containerStart = 30 * time.Second
)

func openContainer(ctx context.Context, o Options) (*Target, error) {
	pool, err := dockertest.NewPool("")
	if err != nil || pool.Client.Ping() != nil {
		return nil, dockerError(o)
	}
	run := containerOptions(o)
	if err := pullImage(ctx, pool, run); err != nil {
		return nil, err
	}
	o.Logger.Info("starting a container", "image", run.Repository+":"+run.Tag)
	res, err := pool.RunWithOptions(run, func(h *docker.HostConfig) { h.AutoRemove = true })
	if err != nil {
		return nil, fmt.Errorf("the container of %s did not start: check `docker run %[1]s` (%w)", run.Repository, err)
	}
	return awaitContainer(ctx, pool, res, run)
}

func dockerError(o Options) error {
	if o.Image == "" {
		return errNoDocker
	}
	return fmt.Errorf("%w to run %s: start Docker, or omit the image to use the jar", errNoDocker, o.Image)
}

func containerOptions(o Options) *dockertest.RunOptions {
	image, cmd := o.Image, o.ImageCommand
	if image == "" {
		image = amazonImage
	}
	name, tag := splitImage(image)
	if isAmazonImage(name) && len(cmd) == 0 {
		cmd = []string{"-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb"}
	}
	return &dockertest.RunOptions{
		Repository:   name,
		Tag:          tag,
		Cmd:          cmd,
		ExposedPorts: []string{containerPort},
	}
}

// splitImage splits an image reference into name and tag. A colon before the last slash belongs to the host's port.
func splitImage(image string) (name, tag string) {
	if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		return image[:i], image[i+1:]
	}
	return image, "latest"
}

// isAmazonImage reports whether name is Amazon's image, possibly from a mirror, and not another that serves the same
// protocol.
func isAmazonImage(name string) bool { return path.Base(name) == path.Base(amazonImage) }

// pullImage pulls the image unless the engine already has it.
func pullImage(ctx context.Context, pool *dockertest.Pool, run *dockertest.RunOptions) error {
	ref := run.Repository + ":" + run.Tag
	if _, err := pool.Client.InspectImage(ref); err == nil {
		return nil
	}
	err := pool.Client.PullImage(docker.PullImageOptions{
		Repository: run.Repository, Tag: run.Tag, Context: ctx, OutputStream: io.Discard,
	}, docker.AuthConfiguration{})
	if err != nil {
		return fmt.Errorf("image %s does not exist locally and cannot be pulled: load it with `docker load`", ref)
	}
	return nil
}

func awaitContainer(ctx context.Context, pool *dockertest.Pool, res *dockertest.Resource,
	run *dockertest.RunOptions) (*Target, error) {
	stop := func() error { return pool.Purge(res) }
	if err := res.Expire(uint(containerLife.Seconds())); err != nil {
		return nil, fmt.Errorf("cannot set the lifetime of the container: %w", closeAfterError(err, stop))
	}
	port, err := strconv.Atoi(res.GetPort(containerPort))
	if err != nil {
		return nil, fmt.Errorf("image %s does not expose port 8000: use one that does (%w)", run.Repository,
			closeAfterError(err, stop))
	}
	host := res.GetBoundIP(containerPort)
	if host == "" || host == "0.0.0.0" {
		host = "127.0.0.1"
	}
	t := localTarget(host, port, "container of "+run.Repository+":"+run.Tag)
	if name := imageTarget(run.Repository, run.Tag); name != "" {
		t.rename(name)
	}
	ctx, cancel := context.WithTimeout(ctx, containerStart)
	defer cancel()
	if err := awaitResponse(ctx, t.DynamoDB(), nil); err != nil {
		return nil, fmt.Errorf("the container of %s does not respond: see `docker logs` (%w)", run.Repository,
			closeAfterError(err, stop))
	}
	t.closers = append(t.closers, stop)
	return t, nil
}

// imageTarget returns the name of the target that runs an image, or "" for that of DynamoDB Local.
func imageTarget(name, tag string) string {
	if isAmazonImage(name) {
		return ""
	}
	return "image=" + name + ":" + tag
}

// closeAfterError stops a partially started container after an error, and returns that error.
func closeAfterError(err error, stop func() error) error {
	if stopErr := stop(); stopErr != nil {
		return fmt.Errorf("%w; and it could not be stopped: %w", err, stopErr)
	}
	return err
}
