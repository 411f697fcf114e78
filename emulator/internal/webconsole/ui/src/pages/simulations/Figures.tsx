/** Figures are counters with their names. */
export function Figures({ all }: { all: [name: string, value: string][] }) {
  return <dl className="figures">{all.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
}
