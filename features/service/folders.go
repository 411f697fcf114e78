package service

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/emulator"
)

// folder is the data folder of the scenario's emulator.
type folder struct {
	dir, rootKey string
	plain        bool // not encrypted
}

func (w *world) folders(sc *godog.ScenarioContext) {
	sc.Step(`^an emulator with a data folder$`, func() error {
		if err := w.makeFolder(); err != nil {
			return err
		}
		w.folder.plain = true
		return w.Restart(w.folder.options()...)
	})
	sc.Step(`^an emulator with an encrypted data folder$`, func() error { return w.startInFolder(false) })
	sc.Step(`^an emulator with a data folder whose root key is stored elsewhere$`, func() error {
		return w.startInFolder(true)
	})
	sc.Step(`^the emulator is stopped$`, func() error { return w.Target.Emulator.Close() })
	sc.Step(`^the emulator is started again$`, func() error { return w.Restart(w.folder.options()...) })
	sc.Step(`^the emulator does not start again because "([^"]*)"$`, w.doesNotStart)
	sc.Step(`^the root key is lost$`, func() error { return os.Rename(w.folder.rootKey, w.folder.rootKey+".lost") })
	sc.Step(`^the root key is restored$`, func() error { return os.Rename(w.folder.rootKey+".lost", w.folder.rootKey) })
	sc.Step(`^no file of the data folder contains "([^"]*)"$`, w.noFileHas)
}

func (f folder) options() []emulator.Option {
	if f.plain {
		return []emulator.Option{emulator.WithData(f.dir)}
	}
	return []emulator.Option{emulator.WithData(f.dir), emulator.WithEncryption(), emulator.WithRootKey(f.rootKey)}
}

// makeFolder makes a data folder, which is removed after the scenario.
func (w *world) makeFolder() error {
	dir, err := os.MkdirTemp("", "tabletop-")
	if err != nil {
		return err
	}
	w.OnClose(func(context.Context) error { return os.RemoveAll(dir) })
	w.folder = folder{dir: filepath.Join(dir, "data")}
	return nil
}

func (w *world) startInFolder(keyElsewhere bool) error {
	if err := w.makeFolder(); err != nil {
		return err
	}
	if keyElsewhere {
		w.folder.rootKey = filepath.Join(filepath.Dir(w.folder.dir), "root.key")
	}
	return w.Restart(w.folder.options()...)
}

func (w *world) doesNotStart(because string) error {
	e, err := emulator.Start(w.folder.options()...)
	if err == nil {
		return fmt.Errorf("it started: %w", e.Close())
	}
	if !strings.Contains(err.Error(), because) || strings.Contains(err.Error(), "\n") {
		return fmt.Errorf("it says: %w", err)
	}
	return nil
}

// noFileHas checks that no file in the folder contains a text.
func (w *world) noFileHas(text string) error {
	files := 0
	err := filepath.WalkDir(w.folder.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			return fmt.Errorf("%s has it", path)
		}
		return err
	})
	if err == nil && files == 0 {
		return fmt.Errorf("there are no files in %s", w.folder.dir)
	}
	return err
}
