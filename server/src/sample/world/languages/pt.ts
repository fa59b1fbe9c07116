import { commaNumbers, type Language } from './language.ts'

const ordinals = ['primeiro', 'segundo', 'terceiro', 'quarto']

export const portuguese: Language = {
  code: 'pt',
  joiner: ' ',
  contentLength: 260,
  numbers: commaNumbers({
    group: '.',
    percent: '%',
    billions: 'bilhões',
    millions: 'milhões',
    currencies: {
      USD: 'de dólares',
      EUR: 'de euros',
      GBP: 'de libras',
      JPY: 'de ienes',
      CHF: 'de francos suíços',
      BRL: 'de reais',
    },
  }),
  assetNames: {},
  quarter: (quarter) => `${ordinals[quarter - 1]} trimestre`,
  quarterLabel: (quarter, year) => `${quarter}T${String(year).slice(2)}`,
  banks: {
    US: 'o Fed',
    EU: 'o BCE',
    GB: 'o Banco da Inglaterra',
    JP: 'o Banco do Japão',
    CN: 'o Banco Popular da China',
  },
  places: { US: 'nos Estados Unidos', EU: 'na zona do euro', GB: 'no Reino Unido', JP: 'no Japão', CN: 'na China' },
  eventTemplates: {
    'earnings-beat': {
      titles: ['{name} supera as expectativas no {quarter}', '{name} aumenta a receita em {pctHigh}'],
      leads: ['{name} registrou no {quarter} receita de {revenueHigh}, alta de {pctHigh} e acima das previsões.'],
      details: ['A margem melhorou graças à demanda sólida e a custos bem controlados.'],
    },
    'earnings-miss': {
      titles: ['{name} decepciona no {quarter}', 'Resultado fraco: ações de {name} caem {pct}'],
      leads: [
        '{name} registrou no {quarter} receita de {revenueLow}, longe do valor de {revenueHigh} esperado pelos analistas.',
      ],
      details: ['Custos mais altos e pedidos fracos pesaram sobre o lucro, admitiu a empresa.'],
    },
    'guidance-cut': {
      titles: ['{name} reduz as projeções para {year}', '{name} faz alerta sobre lucros'],
      leads: [
        '{name} reduziu a projeção de receita para {year} de {yearHigh} para {yearLow} e alertou para um segundo semestre difícil.',
      ],
      details: ['A empresa cita pedidos cancelados e salários mais altos.'],
    },
    'analyst-upgrade': {
      titles: ['{broker} recomenda compra de {name}', 'Analistas veem potencial de {pctHigh} em {name}'],
      leads: ['{broker} elevou a recomendação de {name} para compra e vê potencial de alta de {pctHigh}.'],
      details: ['A empresa ganha participação de mercado e a avaliação é atraente, segundo o relatório.'],
    },
    'analyst-downgrade': {
      titles: ['{broker} recomenda venda de {name}', '{name}: analistas consideram a avaliação excessiva'],
      leads: ['{broker} rebaixou a recomendação de {name} para venda e cortou o preço-alvo em {pctHigh}.'],
      details: ['A concorrência aumenta e o crescimento perde força, segundo o relatório.'],
    },
    buyback: {
      titles: ['{name} vai recomprar {moneyHigh} em ações', '{name} anuncia amplo programa de recompra'],
      leads: ['{name} vai recomprar até {moneyHigh} em ações próprias nos próximos {months} meses.'],
      details: ['O balanço é sólido o bastante para financiar também o crescimento, afirmou a companhia.'],
    },
    layoffs: {
      titles: ['{name} vai cortar {count} empregos', 'Demissões em {name} atingem {count} pessoas'],
      leads: ['{name} vai cortar {count} postos de trabalho por causa da desaceleração dos negócios.'],
      details: ['Os sindicatos criticam duramente o plano, cujo custo é estimado em {moneyLow}.'],
    },
    'product-launch': {
      titles: ['{name} apresenta {brand}', 'Com {brand}, {name} quer conquistar novos clientes'],
      leads: ['{name} apresentou {brand} em {city}, e os primeiros pedidos superam as expectativas.'],
      details: ['Especialistas elogiam a qualidade do produto, que será entregue em {months} meses.'],
    },
    'antitrust-probe': {
      titles: ['Órgão de concorrência investiga {name}', 'Regulador coloca {name} na mira'],
      leads: [
        'O órgão de defesa da concorrência abriu uma investigação sobre {name}, com risco de multa de {moneyLow}.',
      ],
      details: ['A companhia nega qualquer abuso e diz que colabora com os investigadores.'],
    },
    partnership: {
      titles: ['{name} e {peer} fecham parceria', '{name} se une a {peer}'],
      leads: ['{name} e {peer} vão trabalhar em conjunto e esperam economizar {moneyLow} por ano.'],
      details: ['Uma equipe conjunta será formada em {city}; os investidores elogiaram o acordo.'],
    },
    'coin-rally': {
      titles: ['{name} sobe {pct}', 'Criptomoedas: forte alta de {name}'],
      leads: ['{name} subiu {pct} em um único dia graças à entrada de dinheiro no mercado de criptomoedas.'],
      details: ['Investidores vendidos tiveram de recomprar, o que reforçou o avanço.'],
    },
    'coin-slide': {
      titles: ['{name} despenca {pct}', 'Criptomoedas: forte queda de {name}'],
      leads: ['{name} caiu {pct} após a liquidação de muitas posições alavancadas.'],
      details: ['Operadores falam em vendas por pânico, que atingem também outras criptomoedas.'],
    },
    'index-gain': {
      titles: ['{name} fecha em alta de {pct}', 'Dia de ganhos: {name} avança {pct}'],
      leads: ['O índice {name} fechou em alta de {pct}, apoiado em bons resultados de empresas.'],
      details: ['A queda dos juros dos títulos animou os compradores, sobretudo de ações cíclicas.'],
    },
    'index-fall': {
      titles: ['{name} fecha em queda de {pct}', 'Dia de perdas: {name} recua {pct}'],
      leads: ['O índice {name} fechou em queda de {pct}, depois que a alta dos juros assustou os investidores.'],
      details: ['As ações de tecnologia foram as mais atingidas e poucos papéis escaparam das perdas.'],
    },
    'gold-rally': {
      titles: ['Ouro sobe {pct}', 'Ouro se aproxima do recorde'],
      leads: ['O preço do ouro subiu {pct}, sustentado pelas compras dos bancos centrais.'],
      details: ['A fraqueza do dólar torna o metal precioso mais atraente para compradores estrangeiros.'],
    },
    'oil-supply-cut': {
      titles: ['Petróleo sobe {pct} após corte de produção', 'Brent e WTI avançam após decisão dos produtores'],
      leads: ['O petróleo subiu {pct} depois que vários países prolongaram por {months} meses os cortes de produção.'],
      details: ['Os estoques de petróleo caem há semanas, o que sustenta o Brent e o WTI.'],
    },
    'rate-cut': {
      titles: ['{Bank} reduz os juros para {rateLow}', 'Corte de juros: {bank} apoia o crescimento'],
      leads: ['{Bank} reduziu a taxa básica em {bp} pontos-base, para {rateLow}, a fim de apoiar o crescimento.'],
      details: ['A inflação é considerada sob controle, e quem tem empréstimos deve sentir alívio em breve.'],
    },
    'rate-hold': {
      titles: ['{Bank} mantém os juros', 'Sem mudanças: juros seguem em {rateHigh}'],
      leads: ['{Bank} manteve a taxa básica em {rateHigh}, como esperavam os economistas.'],
      details: ['As próximas decisões dependerão dos dados econômicos, segundo o comunicado.'],
    },
    'inflation-cools': {
      titles: ['Inflação cai para {pctLow} {place}', 'Preços dão trégua {place}'],
      leads: ['A inflação caiu de {pctHigh} para {pctLow} {place}, o que alimenta a esperança de juros menores.'],
      details: ['A energia ficou mais barata e os alimentos custaram menos do que no mês anterior.'],
    },
    'inflation-heats': {
      titles: ['Inflação sobe para {pctHigh} {place}', 'Surpresa ruim nos preços {place}'],
      leads: ['A inflação subiu de {pctLow} para {pctHigh} {place}, o que afasta a esperança de juros menores.'],
      details: ['Aluguéis e alimentos subiram muito, e as famílias perdem poder de compra.'],
    },
  },
  onePeer: ['Também {peer} chamou a atenção.', 'Os operadores acompanharam ainda {peer}.'],
  twoPeers: ['Também {peer} e {peer2} chamaram a atenção.'],
  backgrounds: {},
  closings: {
    positive: [
      'Os mercados receberam a notícia com alívio.',
      'Observadores falam em sinal animador.',
      'Especialistas de {broker} esperam novos avanços.',
      'O humor dos investidores melhorou claramente.',
    ],
    negative: [
      'Os mercados receberam a notícia com preocupação.',
      'Observadores falam em um sério revés.',
      'Especialistas de {broker} temem novas dificuldades.',
      'O humor dos investidores piorou claramente.',
    ],
    neutral: [
      'Os mercados quase não reagiram à notícia.',
      'Observadores já esperavam esse resultado.',
      'Especialistas de {broker} mantêm suas projeções.',
      'Mais detalhes devem sair nas próximas semanas.',
      'A próxima reunião acontece daqui a algumas semanas.',
    ],
  },
  authors: {
    given: ['Adélia', 'Brás', 'Conceição', 'Damião', 'Eulália', 'Firmino', 'Graça', 'Heitor', 'Iracema', 'Jandira'],
    family: ['Águaboa', 'Bentevi', 'Cajuzeiro', 'Figueirinha', 'Luarengo', 'Pedraverde', 'Sabiá', 'Ventania'],
  },
}
