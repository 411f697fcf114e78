/** download saves a text as a file. */
export function download(name: string, type: string, text: string) {
  save(name, new Blob([text], { type }))
}

/** save saves a file. */
export function save(name: string, file: Blob) {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
