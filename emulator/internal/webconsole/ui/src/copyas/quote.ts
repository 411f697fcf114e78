/**
 * quote writes a string of Go, Java, JavaScript, Python or C#: JSON's escapes are also theirs, except lone surrogates. What
 * the source of some language cannot contain (line ends of Unicode in C#, a byte order mark in Go), and what an editor would
 * show in another order than it is (marks of text from right to left), is escaped.
 */
export function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, escape)
}

function escape(char: string): string {
  return '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0')
}
