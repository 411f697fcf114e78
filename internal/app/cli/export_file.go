package cli

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// fileOptions holds how to write a file of items.
type fileOptions struct {
	format    datafile.Format
	key       []string // attributes that come first in CSV
	documents bool     // the items are documents of Cosmos DB
	export    datafile.ExportInfo
	schema    *datafile.Schema // of a model
}

// outputFile is a file, or the folder of an export, that appears under its name when it is complete.
type outputFile struct {
	datafile.Writer
	name, temporary string // empty for standard output, devices and pipes
	closers         []io.Closer
	done            bool
}

// createFile creates a file of items; - is stdout.
func createFile(name string, stdout io.Writer, o fileOptions) (*outputFile, error) {
	if o.format == datafile.AWSExport {
		return createFolder(name, o)
	}
	f := &outputFile{}
	out := stdout
	if name != "-" {
		file, err := f.open(name)
		if err != nil {
			return nil, err
		}
		f.closers, out = []io.Closer{file}, file
	}
	if strings.HasSuffix(name, ".gz") {
		pack := gzip.NewWriter(out)
		f.closers, out = append([]io.Closer{pack}, f.closers...), pack
	}
	var err error
	if f.Writer, err = o.writer(out); err != nil {
		f.discard()
		return nil, err
	}
	return f, nil
}

// writer returns the writer of a file's content.
func (o *fileOptions) writer(out io.Writer) (datafile.Writer, error) {
	if o.format == datafile.Workbench {
		return datafile.NewWorkbenchWriter(out, o.schema, o.export.Start)
	}
	return datafile.NewWriter(out, o.format, o.key, o.documents)
}

// open opens the file to write: a temporary one beside a regular file, or the file itself if it is a device or a pipe.
// A symbolic link stays, and so do the permissions of a file that exists.
func (f *outputFile) open(name string) (*os.File, error) {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		target = name // it does not exist
	}
	mode := fs.FileMode(0o644)
	switch info, err := os.Stat(target); {
	case err != nil: // creating the file tells why, if that is a problem
	case info.IsDir():
		return nil, command.Usagef("--out %s: it is a folder: use the name of a file", name)
	case !info.Mode().IsRegular():
		file, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, command.Usagef("--out: %v: use a file that can be written", pathError(err))
		}
		return file, nil
	default:
		mode = info.Mode().Perm()
	}
	file, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+"-*")
	if err != nil {
		return nil, command.Usagef("--out: %v: use a file in an existing, writable folder", pathError(err))
	}
	f.name, f.temporary = target, file.Name()
	_ = file.Chmod(mode) // without it the file is only for its owner, as on systems without permissions
	return file, nil
}

func createFolder(name string, o fileOptions) (*outputFile, error) {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil, command.Usagef("--out %s: it exists: use a folder that does not", name)
	}
	folder, err := os.MkdirTemp(filepath.Dir(filepath.Clean(name)), "."+filepath.Base(name)+"-*")
	if err != nil {
		return nil, command.Usagef("--out: %v: use a folder in an existing, writable folder", pathError(err))
	}
	f := &outputFile{name: name, temporary: folder}
	if f.Writer, err = datafile.NewExportWriter(folder, o.export); err != nil {
		f.discard()
		return nil, err
	}
	return f, nil
}

// Close completes the file and gives it its name.
func (f *outputFile) Close() error {
	if err := f.Writer.Close(); err != nil {
		return err
	}
	for _, c := range f.closers {
		if err := c.Close(); err != nil {
			return err
		}
	}
	if f.temporary != "" {
		if err := os.Rename(f.temporary, f.name); err != nil {
			return err
		}
	}
	f.done = true
	return nil
}

// Abort removes a file that is not complete.
func (f *outputFile) Abort() {
	if f.done {
		return
	}
	f.Writer.Abort()
	f.discard()
}

func (f *outputFile) discard() {
	for _, c := range f.closers {
		_ = c.Close()
	}
	if f.temporary != "" {
		_ = os.RemoveAll(f.temporary)
	}
}
