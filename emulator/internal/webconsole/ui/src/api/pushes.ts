/** The simulated phones of the push gateway, and what they received. */
import { api, json } from './http'

export interface Phone {
  id: string; platform: 'ios' | 'android'; project: string; installed: boolean; expoPushToken: string; deviceToken: string
  delivered: number; refused: number; last?: string
}

export interface Delivery { number: number; phone: string; service: string; token: string; id: string; title?: string; body?: string; data?: unknown; at: string }

export interface Refusal { phone?: string; service: string; token?: string; code: string; at: string }

export const phones = () => json<{ url: string; total: number; phones: Phone[] }>(`${api}/pushes`)
export const installPhone = (platform: Phone['platform']) => json<Phone>(`${api}/pushes/phones`, 'POST', { platform })
/** latest is what a phone received last, newest first; '' is all phones. */
export const latest = (phone: string) => json<{ deliveries: Delivery[]; refusals: Refusal[] }>(`${api}/pushes/latest?phone=${encodeURIComponent(phone)}`)
