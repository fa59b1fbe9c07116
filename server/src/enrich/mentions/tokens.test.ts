import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tokenize } from './tokens.ts'

describe('tokenize', () => {
  it('normalises case, accents and possessives', () => {
    const words = (text: string) => tokenize(text).map((token) => token.norm)
    assert.deepEqual(words("L'Oréal’s AT&T J.P. Morgan"), ['l', 'oreal', 'at', 'and', 't', 'jp', 'morgan'])
    assert.deepEqual(words('Cisco携手TCS'), ['cisco', '携', '手', 'tcs'])
    assert.deepEqual(words('see https://tesla.com/x and @apple'), ['see', 'and'])
    assert.equal(tokenize("McDonald's")[0]?.possessive, 'mcdonalds')
  })

  it('classifies words by their capitals', () => {
    const shapes = tokenize('IBM Apple eBay 3M i3 shares 500 McDonald').map((token) => token.shape)
    assert.deepEqual(shapes, ['upper', 'capital', 'capital', 'upper', 'capital', 'lower', 'other', 'capital'])
  })

  it('classifies the separator before each token', () => {
    const glues = tokenize('Coca-Cola falls. Amazon.com, Inc').map((token) => token.glue)
    assert.deepEqual(glues, ['break', 'hyphen', 'space', 'break', 'none', 'break'])
  })
})
