//! What a call of the application and its result tell about the TCB.
//! RFC 9293 section 3.10.1 to 3.10.5.

use crate::state::State;
use crate::tcb::Tcb;
use crate::{Call, Outcome};

/// The number that Linux has for "nothing to read now".
const EAGAIN: i32 = 11;

/// Makes `tcb` the one after `call` returned `outcome`, which it may have returned.
pub fn returned(tcb: &mut Tcb, call: &Call, outcome: &Outcome) {
    if tcb.application_elsewhere || tcb.unjudged {
        return;
    }
    match (call, outcome) {
        (Call::Connect, Outcome::Done(_)) => tcb.connecting = true,
        (Call::Accept, Outcome::Done(_)) => tcb.in_use = true,
        (Call::Write(_), Outcome::Done(octets)) => tcb.written += octets,
        (Call::WriteUrgent(_), Outcome::Done(octets)) if *octets > 0 => {
            tcb.written += octets;
            tcb.snd_up = Some(tcb.written);
        }
        (Call::Urgent, Outcome::Done(_)) => tcb.urgent_news = false,
        (Call::Read(_), Outcome::Data(octets)) => {
            tcb.read += octets.len() as u32;
            let read = tcb.read;
            tcb.accepted.retain(|text| text.end > read);
        }
        (Call::Read(_) | Call::Write(_) | Call::WriteUrgent(_), Outcome::Error(error))
            if *error != EAGAIN =>
        {
            tcb.aborted = false
        }
        // What is not remembered is reckoned anew from the settings there are by then.
        (Call::Sysctl(_), _) if tcb.is_forgotten() => tcb.unjudged = true,
        (Call::ShutdownWrite, Outcome::Done(_)) => close_send_side(tcb),
        (Call::Close, Outcome::Done(_)) => {
            tcb.closed_unread =
                tcb.state.is_synchronized() && !tcb.reads_unknown && tcb.read < tcb.text_received();
            close_send_side(tcb);
            tcb.orphan = true;
        }
        _ => {}
    }
}

fn close_send_side(tcb: &mut Tcb) {
    match tcb.state {
        State::SynSent => {
            tcb.close();
            return;
        }
        // It may be the listener itself that is closed: what becomes of the next SYN is past saying.
        State::Listen => tcb.served = true,
        State::Established => tcb.state = State::FinWait1,
        State::CloseWait => tcb.state = State::LastAck,
        _ => {}
    }
    tcb.fin_queued = true;
}
