import { expect, test } from 'vitest'
import { contextOf } from './context'

test('lines are keys with values', () => {
  expect(contextOf(' dynamodb:LeadingKeys = ana, bob\n\naws:RequestTag/a=b=c\ndynamodb:LeadingKeys=eve')).toEqual({
    'dynamodb:LeadingKeys': ['ana', 'bob', 'eve'], 'aws:RequestTag/a': ['b=c'],
  })
  expect(() => contextOf('dynamodb:LeadingKeys ana')).toThrow('KEY = VALUE')
})
