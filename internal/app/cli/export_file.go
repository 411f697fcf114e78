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
}

// outputFile is a file, or the folder of an export, that appears under its name when it is complete.
type outputFile struct {
	datafile.Writer
	name, temporary string // empty for standard output
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
		file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
		if err != nil {
			return nil, command.Usagef("--out: %v: use a file in an existing, writable folder", pathError(err))
		}
		f.name, f.temporary, f.closers, out = name, file.Name(), []io.Closer{file}, file
	}
	if strings.HasSuffix(name, ".gz") {
		pack := gzip.NewWriter(out)
		f.closers, out = append([]io.Closer{pack}, f.closers...), pack
	}
	var err error
	if f.Writer, err = datafile.NewWriter(out, o.format, o.key, o.documents); err != nil {
		f.discard()
		return nil, err
	}
	return f, nil
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
	f.done = true
	if f.name == "" {
		return nil
	}
	return os.Rename(f.temporary, f.name)
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
