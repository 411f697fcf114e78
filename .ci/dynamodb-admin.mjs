// What a person does in dynamodb-admin: creates a table with an index, and adds, finds, changes and deletes items. The form
// of a new table sends its capacities as strings, which DynamoDB refuses; here they are made numbers afterwards.
// Arguments: the address of dynamodb-admin, the path of Chromium, a new folder for its profile, the file of the picture.

import assert from 'node:assert'
import puppeteer from 'puppeteer-core'

const [address, executablePath, userDataDir, picture] = process.argv.slice(2)

const browser = await puppeteer.launch({
  executablePath, userDataDir,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
})
const page = await browser.newPage()
page.setDefaultTimeout(60000)
await page.setViewport({ width: 1280, height: 1000 })
page.on('dialog', dialog => dialog.accept()) // "Are you sure you want to delete …?"
const errors = []
page.on('pageerror', error => errors.push(String(error)))
page.on('response', response => {
  if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) errors.push(`${response.status()} ${response.url()}`)
})

// step runs an action and names it. What the page shows as an error fails it.
async function step(name, action) {
  try {
    await action()
  } catch (error) {
    errors.push(error.message)
  }
  errors.push(...await page.$$eval('#error-wrapper .alert', alerts => alerts.map(alert => alert.innerText)))
  assert.deepEqual(errors, [], `${name}\n${await page.evaluate(() => document.body.innerText)}`)
  console.log(`dynamodb-admin: ${name}`)
}

const shows = text => page.waitForFunction(text => document.body.innerText.includes(text), {}, text)

// goes clicks what opens another page, and waits until its requests are answered.
const goes = selector => Promise.all([page.waitForNavigation({ waitUntil: 'networkidle0' }), page.locator(selector).click()])

const fills = async values => {
  for (const [name, value] of Object.entries(values)) {
    const field = `[name="${name}"]`
    if (await page.$eval(field, e => e.tagName === 'SELECT')) await page.select(field, value)
    else await page.type(field, value)
  }
}

const saves = async item => {
  await page.evaluate(text => window.ace.edit('documentTextarea').setValue(text), JSON.stringify(item))
}

// items returns the rows of the list of items, each with the texts of its columns.
const items = async count => {
  await page.waitForFunction(count => document.querySelectorAll('#items-container tr').length === count, {}, count)
  return page.$$eval('#items-container tr', rows => rows.map(row => [...row.cells].slice(1).map(cell => cell.innerText)))
}

const opens = async () => {
  await page.goto(address, { waitUntil: 'networkidle0' })
  await goes('[data-table-name=orders] a[href$=orders]')
}

const searches = async (where, value) => {
  await page.select('[name=operationType]', 'query')
  await page.select('[name=queryableSelection]', where)
  const row = await page.waitForSelector('#filters-table tr:has(.filter-row-key[required]) .filter-row-value')
  await row.type(value)
  await goes('#form [type=submit]')
}

const first = { customer: 'ann', id: 1, state: 'open', total: 12.5, lines: [{ sku: 'tea' }] }
const second = { customer: 'bob', id: 2, state: 'sent' }

try {
  await step('a table with an index is created', async () => {
    await page.goto(address, { waitUntil: 'networkidle0' })
    await goes('a[href$=create-table]')
    await page.click('#new-index')
    await fills({
      TableName: 'orders', HashAttributeName: 'customer', RangeAttributeName: 'id', RangeAttributeType: 'N',
      'secondary-index-1-IndexName': 'by-state', 'secondary-index-1-HashAttributeName': 'state',
      'secondary-index-1-HashAttributeType': 'S',
    })
    await page.click('#saveButton')
    await shows('STRING_VALUE cannot be converted to Long') // as on AWS: dynalite's tests, verified there
    errors.length = 0
    await page.evaluate(() => {
      const { fetch } = window
      window.fetch = (url, options) => fetch(url, { ...options, body: options.body.replace(/"(\d+)"/g, '$1') })
    })
    await goes('#saveButton')
    await shows('orders')
  })
  await step('an empty table has no results', async () => {
    await opens()
    await shows('No results')
  })
  for (const item of [first, second]) {
    await step(`an item is put: ${item.customer}`, async () => {
      await opens()
      await goes('a[href$=add-item]')
      await saves(item)
      await goes('#saveButton')
      assert.deepEqual(JSON.parse(await page.evaluate(() => window.ace.edit('documentTextarea').getValue())), item)
    })
  }
  await step('a scan finds both items', async () => {
    await opens()
    const found = await items(2)
    assert(['"ann"', '"bob"'].every(name => found.flat().includes(name)), JSON.stringify(found))
    await page.screenshot({ path: picture })
  })
  await step('a query finds one', async () => {
    await searches('table', 'ann')
    assert((await items(1)).flat().includes('"ann"'))
  })
  await step('a query of the index finds the other', async () => {
    await opens()
    await searches('by-state', 'sent')
    assert((await items(1)).flat().includes('"bob"'))
  })
  await step('an item is edited', async () => {
    await goes('#items-container a')
    await saves({ ...second, state: 'returned' })
    await page.click('#saveButton')
    await page.waitForSelector('#saveButton.btn-success')
    await opens()
    assert((await items(2)).flat().includes('"returned"'))
  })
  await step('an item is deleted', async () => {
    await goes('#items-container a[href$="ann%2C1"]')
    await goes('nav .btn-danger')
    assert.deepEqual((await items(1)).flat().includes('"ann"'), false)
  })
  await step('the table is described', async () => {
    await goes('a[href$=meta]')
    await shows('by-state')
  })
  await step('the table is deleted', async () => {
    await page.goto(address, { waitUntil: 'networkidle0' })
    await goes('[data-table-name=orders] .badge-danger')
    assert.equal(await page.$('[data-table-name=orders]'), null)
  })
} finally {
  await browser.close()
}
