import { payload, typeOf, type AttributeValue, type Item } from '../values/attribute'
import type { Request } from '../values/filter'
import type { Endpoint } from './copyas'
import { elements, entries, isWriteBatch, itemType, members } from './nested'
import { quote } from './quote'

/** asGo is a program for the AWS SDK for Go v2. */
export function asGo(request: Request, at: Endpoint): string {
  const entries = Object.entries(request.input)
  const width = Math.max(0, ...entries.map(([name]) => name.length)) + 2 // as gofmt aligns them
  const fields = entries.map(([name, value]) => `\t\t${`${name}:`.padEnd(width)}${field(name, value)},\n`)
  const body = fields.length > 0 ? `\n${fields.join('')}\t` : ''
  const imports = ['"context"', ...(body.includes('decode(') ? ['"encoding/base64"'] : []), '"fmt"', '"log"', '',
    '"github.com/aws/aws-sdk-go-v2/aws"', '"github.com/aws/aws-sdk-go-v2/credentials"',
    '"github.com/aws/aws-sdk-go-v2/service/dynamodb"',
    ...(body.includes('types.') ? ['"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"'] : [])]
  return `package main

import (
${imports.map((i) => (i ? '\t' + i : '')).join('\n')}
)

func main() {
	client := dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(${quote(at.endpoint)}),
		Region:       ${quote(at.region)},
		Credentials:  credentials.NewStaticCredentialsProvider(${quote(at.accessKeyId)}, ${quote(at.secretAccessKey || '…')}, ""),
	})
	out, err := client.${request.operation}(context.Background(), &dynamodb.${request.operation}Input{${body}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\\n", out)
}
${body.includes('decode(') ? decoder : ''}`
}

const decoder = `
func decode(text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	return b
}
`

function field(name: string, value: unknown): string {
  switch (name) {
    case 'Item': case 'Key': case 'ExclusiveStartKey': case 'ExpressionAttributeValues': return item(value as Item)
    case 'Parameters': return `[]types.AttributeValue{${(value as AttributeValue[]).map(attributeValue).join(', ')}}`
    case 'ReturnConsumedCapacity': return `types.ReturnConsumedCapacity(${quote(String(value))})`
    case 'ReturnValues': return `types.ReturnValue(${quote(String(value))})`
    case 'ReturnValuesOnConditionCheckFailure': return `types.ReturnValuesOnConditionCheckFailure(${quote(String(value))})`
    case 'TransactItems': return `[]types.${itemType(value)}{${elements(value).map(structures).join(', ')}}`
    case 'RequestItems': return requestItems(value)
    case 'Keys': return `[]map[string]types.AttributeValue{${elements(value).map((key) => item(key as Item).replace(/^map\[string\]types\.AttributeValue/, '')).join(', ')}}`
    case 'Select': return `types.Select(${quote(String(value))})`
    case 'ExpressionAttributeNames': return `map[string]string{${pairs(value as Record<string, string>)}}`
  }
  if (typeof value === 'number') return `aws.Int32(${value})`
  return typeof value === 'boolean' ? `aws.Bool(${value})` : `aws.String(${quote(String(value))})`
}

function requestItems(value: unknown): string {
  const type = isWriteBatch(value) ? '[]types.WriteRequest' : 'types.KeysAndAttributes'
  const requests = (v: unknown) => (isWriteBatch(value) ? `{${elements(v).map(structures).join(', ')}}` : structure(v))
  return `map[string]${type}{${entries(value).map(([table, v]) => `${quote(table)}: ${requests(v)}`).join(', ')}}`
}

/** structures is a structure whose members are pointers to structures with the types of their names. */
function structures(value: unknown): string {
  return `{${members(value).map(([name, v]) => `${name}: &types.${name}${structure(v)}`).join(', ')}}`
}

function structure(value: unknown): string {
  return `{${members(value).map(([name, v]) => `${name}: ${field(name, v)}`).join(', ')}}`
}

function pairs(names: Record<string, string>): string {
  return Object.entries(names).map(([k, v]) => `${quote(k)}: ${quote(v)}`).join(', ')
}

function item(value: Item): string {
  const entries = Object.entries(value).map(([name, v]) => `${quote(name)}: ${attributeValue(v)}`)
  return `map[string]types.AttributeValue{${entries.join(', ')}}`
}

function attributeValue(value: AttributeValue): string {
  const content = payload(value)
  const type = typeOf(value)
  const inner = {
    S: () => quote(content as string), N: () => quote(content as string), B: () => decode(content as string),
    BOOL: () => String(content === true), NULL: () => 'true', SS: () => strings(content as string[]),
    NS: () => strings(content as string[]), BS: () => `[][]byte{${(content as string[]).map(decode).join(', ')}}`,
    L: () => `[]types.AttributeValue{${(content as AttributeValue[]).map(attributeValue).join(', ')}}`,
    M: () => item(content as Item),
  }[type]()
  return `&types.AttributeValueMember${type}{Value: ${inner}}`
}

function strings(texts: string[]): string {
  return `[]string{${texts.map(quote).join(', ')}}`
}

function decode(base64: string): string {
  return `decode(${quote(base64)})`
}
