import { expect, test } from 'vitest'
import { demoItems, demoOrders, missingDemo } from './demo'

test('each item has a key of its own', () => {
  const items = demoItems()
  expect(items).toHaveLength(40)
  expect(new Set(items.map((i) => JSON.stringify([i.pk, i.sk]))).size).toBe(40)
})

test('a total is what the lines cost', () => {
  for (const order of demoOrders()) {
    const cents = order.lines.reduce((sum, l) => sum + l.quantity * Math.round(Number(l.price) * 100), 0)
    expect(order.total).toBe((cents / 100).toFixed(2))
  }
})

test('only what does not exist is missing', () => {
  expect(missingDemo([], [])).toEqual({ table: true, container: true })
  expect(missingDemo(['demo-shop'], ['demo/other', 'other/orders'])).toEqual({ table: false, container: true })
  expect(missingDemo(['orders'], ['demo/orders'])).toEqual({ table: true, container: false })
  expect(missingDemo(['orders'], undefined)).toEqual({ table: true, container: false })
})
