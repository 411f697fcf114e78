package guard

import (
	"archive/zip"
	"os"
	"path/filepath"
)

// checkout copies the files of a commit into a new folder below parent. It leaves no trace in the clone, as a worktree
// would if this process were killed.
func (r repository) checkout(commit, parent string) (repository, error) {
	archive, err := filepath.Abs(filepath.Join(parent, "base.zip"))
	if err != nil {
		return "", err
	}
	if _, err := r.git("archive", "--format=zip", "-0", "--output="+archive, commit); err != nil {
		return "", err
	}
	files, err := zip.OpenReader(archive)
	if err != nil {
		return "", err
	}
	defer files.Close()
	folder := filepath.Join(parent, "base")
	return repository(folder), os.CopyFS(folder, files)
}
