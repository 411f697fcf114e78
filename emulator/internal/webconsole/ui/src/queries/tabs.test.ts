import { expect, test } from 'vitest'
import { changed, closed, opened, type OpenTabs } from './tabs'

const names = (state: OpenTabs<string, number>) => state.tabs.map((t) => (t.id === state.selected ? `[${t.name}]` : t.name)).join(' ')
const three = opened(opened(opened<string, number>(undefined, 'a', 1), 'b', 2, 'Mine'), 'c', 3)

test('a new tab is shown, at the end', () => {
  expect(names(three)).toBe('Query 1 Mine [Query 3]')
})

test('the neighbour of a closed tab is shown, and a name is not used again', () => {
  const two = closed(three, '3')
  expect(names(two)).toBe('Query 1 [Mine]')
  expect(names(closed({ ...three, selected: '1' }, '1'))).toBe('[Mine] Query 3')
  expect(names(closed({ ...three, selected: '1' }, '3'))).toBe('[Query 1] Mine')
  expect(names(opened(two, 'd', 4))).toBe('Query 1 Mine [Query 4]')
  expect(closed(three, 'gone')).toBe(three)
})

test('the last tab stays', () => {
  const one = opened<string, number>(undefined, 'a', 1)
  expect(closed(one, '1')).toBe(one)
})

test('a tab changes without the others', () => {
  const after = changed(changed(three, '2', { query: 'B' }), '2', { name: 'New' })
  expect(after.tabs.map((t) => `${t.name}:${t.query}:${t.reader}`)).toEqual(['Query 1:a:1', 'New:B:2', 'Query 3:c:3'])
})
