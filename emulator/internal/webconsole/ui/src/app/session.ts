import { createContext, useContext } from 'react'
import type { Overview, Scope, Session } from '../api/console'

export interface Emulator {
  session: Session
  overview: Overview
  region: string
  setScope: (scope: Scope) => void
  signOut: () => void
}

export const EmulatorContext = createContext<Emulator | undefined>(undefined)

/** useEmulator is the emulator that serves this page; every page below the shell has it. */
export function useEmulator(): Emulator {
  const emulator = useContext(EmulatorContext)
  if (!emulator) throw new Error('useEmulator needs the shell around it')
  return emulator
}
