package brewers

// Names of brewers, ingredients and texts. Some would be formulas if a spreadsheet opened the export.

func firstNames() []string {
	return []string{"Ana", "Bram", "Chloé", "Deniz", "Ewa", "Femi", "Gwen", "Hiro", "Ines", "Jörg", "Kateryna", "Lars"}
}

func allFruits() []string {
	return []string{"figs and lemon", "dates", "ginger", "raspberries", "apricots, dried", "hibiscus",
		"\"grandma's\" plums", "elderflower"}
}

func notes() []string {
	return []string{
		"smells of yeast", "grains have doubled", "a little sour", "=SUM(A1:A3) bubbles", "-2 degrees in the kitchen",
		"stirred, then covered", "first line\nsecond line", "@Bram should taste this", "fizzy, \"like lemonade\"",
		"+1 spoon of sugar",
	}
}

func publicNotes() []string {
	return []string{"Our best so far", "More ginger next time", "=perfect", "For a hot day"}
}
