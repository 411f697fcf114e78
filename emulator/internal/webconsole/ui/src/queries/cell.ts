import { useSyncExternalStore } from 'react'

/** Cell is a value that outlives the component that shows it, such as the results of a query. */
export class Cell<T> {
  value: T
  private listeners = new Set<() => void>()

  constructor(value: T) {
    this.value = value
  }

  set(next: T) {
    this.value = next
    this.listeners.forEach((listener) => listener())
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
}

/** useCell is the value of a cell, now and after each change. */
export function useCell<T>(cell: Cell<T>): T {
  return useSyncExternalStore(cell.subscribe, () => cell.value)
}
