// What made the number that was clicked: each part is a button that follows it back.
import { html, nothing, render } from "../widgets/lit.js";

/** @param {any} view */
export function drawWhy({ asked: why, answer, send, trail }) {
  if (!why) return render(nothing, answer);
  const free = (text, name) => html`<button type="button" class="free" @click=${() => send(name, true)}>${text}</button>`;
  return render(html`
    <p class="heading">
      <span class="how"><b dir="auto">${why.title} = ${why.value}</b> ${why.how}</span>
      <span class="let" data-save="no">${trail > 1 ? free("Back", "back") : nothing}${free("Let go", "free")}</span>
    </p>
    <div class="parts" role="group" aria-label="The numbers that made it">${why.parts.map(({ text, times, cell }) => html`
      <button type="button" class="part" @click=${() => send("follow", cell)}>${text}${times ? html`<span class="times"> ${times}</span>` : nothing}</button>`)}
      ${why.rest ? html`<span class="rest">${why.rest}</span>` : nothing}
    </div>`, answer);
}
