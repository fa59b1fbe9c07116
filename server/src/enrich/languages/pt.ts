import type { LanguageWords } from './language-words.ts'

export const portuguese: LanguageWords = {
  rises: `
    sobe, sobem, subiu, subida, alta, aument*, cresce, crescem, cresceu, crescimento, eleva, elevam, elevou, avança, avançam, ganha,
    ganham, melhora, melhoram, melhorou, recupera, recuperam, recuperação, acelera, aceleram, supera, superam, superou, superar,
    ultrapass*, dobra, duplica, triplica, amplia, ampliam, criar, cria, valoriz*, no azul, lucra, lucrou, reforça, incremento, impuls*, puxa, puxam, subir`,
  falls: `
    cai, caem, caiu, queda, quedas, recua, recuam, recuou, recuo, baixa, baixam, desce, descem, reduz, reduzem, reduziu, redução, corta,
    cortam, cortar, corte, cortes, diminu*, desacelera, desaceleram, desaceleração, perde, perdem, perdeu, elimina, eliminam, encolhe,
    encolheu, retração, contrai, no vermelho, cede, freia, travam, trava, desvaloriz*, menos, pela metade`,
  soars: `
    dispara, disparam, disparou, salta, saltam, recorde, recordes, máxima, máxima histórica, máximas, máximos, explode, voa, com força`,
  plunges: `
    despenc*, desab*, afund*, tomb*, derret*, colaps*, mergulh*, derrocada, crash`,
  good: `
    lucro, lucros, receita, receitas, vendas, faturamento, faturação, resultado, resultados, balanço, ebitda, projeção, projeções, previsão,
    previsões, metas, meta, dividendo, dividendos, margem, margens, demanda, procura, ação, ações, encomendas, produção, economia, pib,
    exportações, emprego, empregos, postos de trabalho, confiança, bolsa, bolsas, ibovespa, preço, entregas, recomendação`,
  bad: `
    prejuízo, prejuízos, perdas, custos, dívida, dívidas, desemprego, inflação, ipca, défice, déficit, despesas, inadimplência, falências,
    riscos`,
  neutral: 'juros, juro, taxas de juro, selic, taxa, impostos, imposto, participação',
  plus: `
    bate, batem, melhor que o esperado, melhor do que o esperado, acima do esperado, acima das expectativas, supera expectativas,
    conquista, conquistam, obtém, ganha contrato, encomenda de, vence licitação, sucesso, com sucesso, recompra, para compra, compra,
    confirma, absolvid*, aprova, autoriza, sólido, sólida, acordo, assina, otimis*`,
  minus: `
    decepcion*, alerta, alertam, condenad*, multa, multas, multad*, investiga, investigam, investigação, processam, processa, processo,
    greve, greves, cancela, cancelad*, recall, falha, falhas, atrasos, atraso, fracass*, sofre, sofrem, fraca, fraco, fracos, fraqueza,
    ameaça, ameaçam, crise, suspende, suspendem, vazamento de dados, ciberataque, ataque hacker, demite, demitem, demissões, demissão em massa,
    despedimentos, rebaixa, rebaixam, para venda, fraude, escândalo, lavagem de dinheiro, temor, temores, receio, pressiona, pesa,
    abaixo do esperado, pior que o esperado, pior do que o esperado, sanção, incerteza, calote`,
  triumph: 'lucro recorde, receita recorde, resultado recorde',
  disaster: `
    falência, recuperação judicial, insolv*, liquidação, alerta de lucro, profit warning, moratória`,
  not: 'rejeita, rejeitou, evita, evitam, não, sem, nunca, nem, evita a, suspende a greve, fim da',
  less: `
    menos que o esperado, menos que o previsto, menos do que o esperado, menos do que o previsto, menos que o temido,
    menos do que se esperava`,
  despite: 'apesar, embora, mesmo com, ainda que',
  mask: `
    vence a copa, vence o, vence a, vale a pena, mais que o esperado, mais do que o esperado, apresenta, pelo menos, antes de comprar,
    corta juros, corte de juros, avalia a compra, previsão do tempo, adia`,
  clauses: 'enquanto, mas, e, porém, já, contudo',
  topics: {
    earnings: `
      lucro, lucros, receita, vendas, prejuízo, balanço, resultado, resultados, faturamento, lucra, expectativas do mercado,
      super* previsões`,
    guidance: `
      projeção, projeções, metas, alerta de lucro, estimativas para, perspectivas, previsão de lucro`,
    dividends: 'dividendo, dividendos, proventos, juros sobre capital',
    'share-buybacks': 'recompra de ações, recompra, recompras',
    'mergers-and-acquisitions':
      'aquisição, aquisições, fusão, opa, a compra de, compra de um, incorporação, oferta pública de aquisição',
    ipos: 'ipo, abertura de capital, estreia na bolsa, oferta pública inicial, entrada em bolsa',
    layoffs: `
      demite, demitem, demissões, demissão em massa, despedimentos, cortar … postos, postos de trabalho, elimina … empregos, corta … empregos`,
    'executive-changes': `
      nomeia, nomead*, renuncia, renúncia, novo presidente, novo diretor, novo ceo, demite se, deixa o cargo, assume a presidência`,
    'analyst-ratings': 'recomendação, rebaixa, preço alvo, para compra, para venda, recomendação neutra',
    'european-central-bank': 'bce, lagarde, banco central europeu',
    'central-banks': 'selic, copom, taxas de juro, taxa de juro, banco central, juros, política monetária',
    'federal-reserve': 'fed, federal reserve, reserva federal, powell',
    inflation: 'inflação, ipca, preços no consumidor, carestia',
    gdp: 'pib, produto interno bruto, economia portuguesa, economia brasileira, economia … cresce, recessão',
    'jobs-reports': 'desemprego, taxa de desemprego, mercado de trabalho, caged',
    tariffs: 'tarifas, tarifaço, tarifa, guerra comercial',
    'european-indices': 'bolsas europeias, psi 20, psi, dax, cac 40, euro stoxx, bolsa de lisboa',
    'us-indices': 'wall street, dow jones, nasdaq, bolsas de nova york, s&p',
    'asian-indices': 'nikkei, hang seng, bolsas asiáticas',
    'crude-oil': 'petróleo, brent, opep, barril',
    gold: 'ouro, onça',
    bitcoin: 'bitcoin',
    strikes: 'greve, greves, paralisação',
    recalls: 'recall, recalls, chama a revisão',
    lawsuits:
      'processam, processa a, processo contra, condenad*, juiz, tribunal, ação judicial, justiça, ação coletiva',
    antitrust:
      'multa google, multa a, cade multa, antitruste, abuso de posição, união europeia multa, concorrência multa',
    'regulatory-probes': 'investiga, investigam, investigação, cvm, cade, ministério público, polícia federal',
    'data-breaches': 'vazamento de dados, ciberataque, ataque hacker, roubo de dados, fuga de dados',
  },
}
