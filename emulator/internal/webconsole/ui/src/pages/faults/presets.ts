import type { Rule } from '../../api/admin'

/** Preset is a fault that is a switch. It is on while the emulator has a fault of its name. */
export interface Preset { label: string; rule: Rule & { name: string } }

export const presets: readonly Preset[] = [
  { label: 'Throttle one request in ten', rule: { name: 'preset throttle', do: 'throttle', probability: 0.1 } },
  { label: 'Slow: 50 ms, one in a hundred 500 ms', rule: { name: 'preset slow', do: 'delay', latency: '50ms', latencyP99: '500ms', realTime: true } },
  { label: 'Status 500 for one request in twenty', rule: { name: 'preset server errors', do: 'internal-error', probability: 0.05 } },
  { label: 'Status 503 for every request', rule: { name: 'preset unavailable', do: 'unavailable' } },
  { label: 'Lose one response in fifty after the commit', rule: { name: 'preset lost responses', do: 'cut-after-commit', probability: 0.02 } },
  { label: 'Close one connection in fifty before the commit', rule: { name: 'preset cut connections', do: 'cut-before-commit', probability: 0.02 } },
  { label: 'Stale reads', rule: { name: 'preset stale reads', do: 'stale' } },
  { label: 'Process only half of each batch', rule: { name: 'preset half batches', do: 'unprocessed', operations: ['BatchGetItem', 'BatchWriteItem'], fraction: 0.5 } },
]
