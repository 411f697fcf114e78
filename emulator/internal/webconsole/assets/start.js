// Shows how clients connect to this emulator.
const response = await fetch('/_tabletop/console/api/overview')
const overview = await response.json()
const rows = {
  Version: overview.version,
  DynamoDB: overview.dynamodb.endpoint,
  'Cosmos DB': overview.cosmos?.endpoint ?? 'off',
  Data: overview.dataFolder || 'in memory',
}
const list = document.getElementById('overview')
for (const [name, value] of Object.entries(rows)) {
  list.append(Object.assign(document.createElement('dt'), { textContent: name }))
  list.append(Object.assign(document.createElement('dd'), { textContent: value }))
}
