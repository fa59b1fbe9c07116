/** Everyday idioms and names. Their words count for no topic. */
export const everydayPhrases = [
  // Sport and games.
  'gold|silver|bronze medal|medallist|medalist, medal, striker, transfer =target, poker chip, trading card, yellow|red card, board game',
  // Financial words in other senses.
  'bank holiday, food|blood|river|piggy|west bank, bank on, james bond, bond with, stock photo|footage, laughing stock, take stock, rolling stock, stock up on',
  'budget friendly|hotel, on a budget, rare coin, coin toss, flip a coin, market town, flea|farmer|christmas market',
  // Metals, oil and crops in other senses.
  'oil painting, oil paint, olive|essential|cooking|vegetable|fish|snake oil, crude joke|humor|humour, good as gold, heart of gold',
  'gold rush, silver screen|lining|bullet|spoon, platinum album, lead singer, coffee shop|table|break, sugar free|daddy, apple pie|cider|tree',
  // Strikes, gas, houses and others.
  'lightning|air|drone|missile|hunger|bird strike, strike price, strike a|an balance|deal|agreement|chord, fed up, tear gas, gas mask|stove',
  'white house, house party, open house, drug dealer|addict|lord|cartel, street|baby|pet food, test drive',
].join(', ')
