import { expect, test } from 'vitest'
import { exportOf } from './exportFolder'

function file(path: string, content: string): File {
  const made = new File([content], path.split('/').at(-1)!)
  Object.defineProperty(made, 'webkitRelativePath', { value: path })
  return made
}

const summary = (more = {}) => JSON.stringify({ itemCount: 3, outputFormat: 'DYNAMODB_JSON', ...more })
const list = '{"itemCount":2,"dataFileS3Key":"AWSDynamoDB/01-a/data/x.json.gz"}\n{"itemCount":1,"dataFileS3Key":"p/AWSDynamoDB/01-a/data/y.json.gz"}\n'

const whole = (root: string, more = {}) => [
  file(`${root}/manifest-summary.json`, summary(more)), file(`${root}/manifest-files.json`, list),
  file(`${root}/data/y.json.gz`, 'YY'), file(`${root}/data/x.json.gz`, 'XX'), file(`${root}/_started`, ''),
]

test('the data of an export is one file, in the order of the manifest', async () => {
  for (const root of ['01-a', 'bucket/AWSDynamoDB/01-a']) {
    const found = await exportOf(whole(root))
    expect(found.name).toBe('01-a.json.gz')
    expect(await found.text()).toBe('XXYY')
  }
})

test('the data of an incremental export is beside its folder', async () => {
  const files = [file('d/01-a/manifest-summary.json', summary()), file('d/01-a/manifest-files.json', list), file('d/data/x.json.gz', 'X'), file('d/data/y.json.gz', 'Y')]
  expect(await (await exportOf(files)).text()).toBe('XY')
})

test('what is not a whole export is refused with the reason', async () => {
  await expect(exportOf([])).rejects.toThrow('has no manifest-summary.json')
  await expect(exportOf([...whole('a'), ...whole('b')])).rejects.toThrow('has 2 exports')
  await expect(exportOf(whole('a', { outputFormat: 'ION' }))).rejects.toThrow('the format ION')
  await expect(exportOf(whole('a', { itemCount: 4 }))).rejects.toThrow('has 4 items, manifest-files.json has 3')
  await expect(exportOf(whole('a').filter((f) => f.name !== 'x.json.gz'))).rejects.toThrow('no file data/x.json.gz')
  await expect(exportOf(whole('a').filter((f) => f.name !== 'manifest-files.json'))).rejects.toThrow('has no manifest-files.json')
  await expect(exportOf([file('a/manifest-summary.json', 'x')])).rejects.toThrow('manifest-summary.json is not a manifest')
})
