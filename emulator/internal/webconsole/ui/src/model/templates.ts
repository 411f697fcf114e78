/** Sample models to begin with. */
import type { AttributeType, AttributeValue, Item } from '../values/attribute'
import { modelTable, newModel, type Model, type ModelFacet, type ModelIndex, type ModelKey } from './model'

const key = (partition: string, sort?: string, sortType: AttributeType = 'S'): ModelKey => ({
  PartitionKey: { AttributeName: partition, AttributeType: 'S' }, ...(sort && { SortKey: { AttributeName: sort, AttributeType: sortType } }),
})
const index = (IndexName: string, KeyAttributes: ModelKey): ModelIndex => ({ IndexName, KeyAttributes, Projection: { ProjectionType: 'ALL' } })
const facet = (FacetName: string, PartitionKeyAlias: string, SortKeyAlias: string, ...NonKeyAttributes: string[]): ModelFacet => ({
  FacetName, KeyAttributeAlias: { PartitionKeyAlias, ...(SortKeyAlias && { SortKeyAlias }) }, NonKeyAttributes,
})
const value = (v: string | number | boolean): AttributeValue => (typeof v === 'string' ? { S: v } : typeof v === 'number' ? { N: String(v) } : { BOOL: v })
const item = (fields: Record<string, string | number | boolean>): Item => Object.fromEntries(Object.entries(fields).map(([n, v]) => [n, value(v)]))

/** templates make the sample models, each with its dates of now. */
export const templates: (() => Model)[] = [
  () => newModel('Orders of a shop', 'Customers with their orders and the lines of each order in one table; an index finds orders by state and date.', [
    modelTable('shop', key('pk', 'sk'), {
      indexes: [index('by-state', key('state', 'placed'))],
      facets: [
        facet('Customer', 'CUSTOMER#{customer}', 'PROFILE', 'name', 'email'),
        facet('Order', 'CUSTOMER#{customer}', 'ORDER#{order}', 'state', 'placed', 'total'),
        facet('Line', 'ORDER#{order}', 'LINE#{number}', 'sku', 'quantity', 'price'),
      ],
      items: [
        item({ pk: 'CUSTOMER#ana', sk: 'PROFILE', name: 'Ana Silva', email: 'ana@example.com' }),
        item({ pk: 'CUSTOMER#ana', sk: 'ORDER#1001', state: 'PAID', placed: '2026-03-01T09:30:00Z', total: 19.4 }),
        item({ pk: 'ORDER#1001', sk: 'LINE#1', sku: 'tea', quantity: 1, price: 6.5 }),
        item({ pk: 'ORDER#1001', sk: 'LINE#2', sku: 'coffee', quantity: 1, price: 12.9 }),
      ],
    }),
  ]),
  () => newModel('Fleet of sensors', 'The readings of each device, one partition per device and day so that none grows without bound, beside the devices themselves.', [
    modelTable('devices', key('device'), {
      indexes: [index('by-site', key('site', 'device'))],
      facets: [facet('Device', '{device}', '', 'site', 'model', 'firmware')],
      items: [item({ device: 'dev-17', site: 'lisbon', model: 'T2', firmware: '1.4.0' }), item({ device: 'dev-18', site: 'lagos', model: 'T2', firmware: '1.3.2' })],
    }),
    modelTable('readings', key('pk', 'time', 'N'), {
      facets: [facet('Reading', '{device}#{day}', '{seconds}', 'celsius', 'humidity')],
      items: [item({ pk: 'dev-17#2026-03-01', time: 1772323200, celsius: 21.5, humidity: 48 }), item({ pk: 'dev-17#2026-03-01', time: 1772323260, celsius: 21.6, humidity: 48 })],
    }),
  ]),
  () => newModel('Chat', 'Rooms with members and messages in one table, in the order of time; an index finds the rooms of a user.', [
    modelTable('chat', key('pk', 'sk'), {
      indexes: [index('by-user', key('user', 'pk'))],
      facets: [
        facet('Room', 'ROOM#{room}', 'ROOM', 'title'),
        facet('Member', 'ROOM#{room}', 'MEMBER#{user}', 'user', 'joined'),
        facet('Message', 'ROOM#{room}', 'MESSAGE#{time}', 'author', 'text'),
      ],
      items: [
        item({ pk: 'ROOM#tea', sk: 'ROOM', title: 'Tea lovers' }),
        item({ pk: 'ROOM#tea', sk: 'MEMBER#ana', user: 'ana', joined: '2026-03-01' }),
        item({ pk: 'ROOM#tea', sk: 'MESSAGE#2026-03-01T09:30:00Z', author: 'ana', text: 'Green or black?' }),
      ],
    }),
  ]),
  () => newModel('Sessions', 'Sign-in sessions that expire: enable time to live on expiresAt once the table exists. An index finds the sessions of a user.', [
    modelTable('sessions', key('session'), {
      indexes: [index('by-user', key('user', 'expiresAt', 'N'))],
      facets: [facet('Session', '{session}', '', 'user', 'expiresAt', 'device')],
      items: [item({ session: '6f1c', user: 'ana', expiresAt: 1803859200, device: 'phone' }), item({ session: '9b2e', user: 'ben', expiresAt: 1803862800, device: 'laptop' })],
    }),
  ]),
]

/** blank is a model to begin with if no sample fits. */
export const blank = () => newModel('New model', '', [modelTable('new-table', key('pk', 'sk'), { facets: [facet('User', 'USER#{id}', 'PROFILE', 'name')] })])
