/** percent writes a part of a whole, from 0 to 1, for people: 0%, under 0.1%, 3.4%, 45%. Less than all is never 100%. */
export function percent(part: number): string {
  if (!(part > 0)) return '0%'
  if (part < 0.001) return 'under 0.1%'
  if (part < 0.0995) return `${(part * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%`
  return `${(part < 1 ? Math.min(99, Math.round(part * 100)) : Math.round(part * 100)).toLocaleString('en-US')}%`
}
