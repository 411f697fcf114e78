package command

import "github.com/spf13/cobra"

// NewCompletion returns the command that prints a shell's completion script.
func NewCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a shell completion script",
		Long:  "Print the script that completes tabletop's commands and flags in a shell.",
		Example: `  source <(tabletop completion bash)
  tabletop completion zsh > "${fpath[1]}/_tabletop"
  tabletop completion fish > ~/.config/fish/completions/tabletop.fish
  tabletop completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return Usagef("%s takes one shell: bash, zsh, fish or powershell", cmd.CommandPath())
			}
			return writeCompletion(cmd, args[0])
		},
	}
}

func writeCompletion(cmd *cobra.Command, shell string) error {
	root, out := cmd.Root(), cmd.OutOrStdout()
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(out, true)
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	default:
		return Usagef("unknown shell %q: use bash, zsh, fish or powershell", shell)
	}
}
