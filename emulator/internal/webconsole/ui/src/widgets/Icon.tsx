/** Icons as strokes on a grid of 16; each is decoration, so the control that has one has a name of its own. */
const paths = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5V13h8V6.5',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6',
  container: 'M8 2.5 13.5 5v6L8 13.5 2.5 11V5zM2.5 5 8 7.5 13.5 5M8 7.5v6',
  database: 'M3 4.2C3 3 5.2 2.3 8 2.3s5 .7 5 1.9-2.2 1.9-5 1.9-5-.7-5-1.9zM3 4.2v7.6c0 1.2 2.2 1.9 5 1.9s5-.7 5-1.9V4.2M3 8c0 1.2 2.2 1.9 5 1.9S13 9.200 13 8',
  code: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500',
  live: 'M2 8h2.500l2-4.500 3 9 2-4.500H14',
  plot: 'M2.500 2.500v11h11M5 10l2.500-3.500 2.500 2 3-4.500',
  heat: 'M2.500 2.500h3v3h-3zM2.500 8h3v5.500h-3zM8 2.500h5.500v5.500H8zM8 10.500h5.500v3H8z',
  fault: 'M9 2 4 9h3.500L7 14l5-7H8.500z',
  access: 'M8 2.500a2.500 2.500 0 0 1 2.500 2.500v2h-5V5A2.500 2.500 0 0 1 8 2.500zM4 7h8v6.500H4z',
  copy: 'M5.500 5.500h7v8h-7zM3.500 10.500v-8h7',
  check: 'M3 8.500 6.500 12 13 4.500',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  trash: 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.6 9h5.800l.6-9',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2.500v2.500h-2.500',
  down: 'M4 6l4 4 4-4',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'M5 3.500 12 8l-7 4.500z',
  sun: 'M8 5.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM8 1.500V3M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M12.600 3.400l-1 1M4.400 11.600l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500z',
  screen: 'M2.500 3.500h11v7h-11zM6 13h4M8 10.500V13',
  undo: 'M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6.500',
  external: 'M9 3h4v4M13 3 7.500 8.500M11 9.500V13H3V5h3.500',
  gauge: 'M2.500 12.500a6.500 6.500 0 1 1 11 0M8 9l3-3.500',
  list: 'M6.500 4h7M6.500 8h7M6.500 12h7M2.500 4l1 1 1.500-2M2.500 8l1 1 1.500-2M2.500 12l1 1 1.500-2',
  device: 'M4 4h8v8H4zM6.500 1.500V4M9.500 1.500V4M6.500 12v2.500M9.500 12v2.500M1.500 6.500H4M1.500 9.500H4M12 6.500h2.500M12 9.500h2.500',
  bell: 'M3.500 11.500c1-1 1-2 1-4a3.500 3.500 0 0 1 7 0c0 2 0 3 1 4zM6.500 13.500h3',
  stop: 'M4 4h8v8H4z',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { name: IconName }) {
  return <svg className="icon-svg" viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name]} /></svg>
}
